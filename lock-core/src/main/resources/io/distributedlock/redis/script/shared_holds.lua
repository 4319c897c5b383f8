-- shared_holds: runs before the scripts that give shares of a lock. In all of these, KEYS[1] is the lock, KEYS[2] its
-- shares, KEYS[3] the fence counter and KEYS[4] the queue; see share.
-- Records a share that ends so many milliseconds from now. Returns what refused it, or nil.
-- shared: whether the lock is shared already; if not, nothing counts that was written down for it before
-- ZADD comes first, because it is the one that may be refused: out of memory, or for want of the right to do so.
local function addShare(owner, now, lease, shared)
  local added = redis.pcall('ZADD', KEYS[2], now + lease, owner)
  if type(added) == 'table' then
    return added
  end
  if not shared then
    redis.call('DEL', KEYS[2])
    redis.call('ZADD', KEYS[2], now + lease, owner)
  end
  if not shared or redis.call('PTTL', KEYS[1]) < tonumber(lease) then
    redis.call('SET', KEYS[1], '~shared', 'PX', lease)
    redis.call('PEXPIRE', KEYS[2], lease)
  end
end

-- Grants a lock to a claim of its queue, marked, because others may be queued behind it; or a share of it if the claim
-- is of the kind 'shared'. Returns what refused it, or nil.
local function give(owner, kind, now, lease, shared)
  if kind == '' then
    return redis.pcall('SET', KEYS[1], owner .. '!', 'PX', lease).err
  end
  return addShare(owner, math.floor(now / 1000), lease, shared)
end

