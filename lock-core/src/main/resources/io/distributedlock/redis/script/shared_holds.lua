-- shared_holds: runs before the scripts that give shares of a lock. Records a share that ends so many milliseconds from
-- now. Returns what refused it, or nil.
-- shared: whether the lock is shared already; if not, nothing counts that was written down for it before
-- ZADD comes first, because it is the one that may be refused: out of memory, or for want of the right to do so.
local function addShare(lock, shares, owner, now, lease, shared)
  local added = redis.pcall('ZADD', shares, now + lease, owner)
  if type(added) == 'table' then
    return added
  end
  if not shared then
    redis.call('DEL', shares)
    redis.call('ZADD', shares, now + lease, owner)
  end
  if not shared or redis.call('PTTL', lock) < tonumber(lease) then
    redis.call('SET', lock, '~shared', 'PX', lease)
    redis.call('PEXPIRE', shares, lease)
  end
end

-- Grants a lock to a claim of its queue, marked, because others may be queued behind it; or a share of it if the claim
-- is of the kind 'shared'. Returns what refused it, or
-- nil.
local function give(lock, owner, kind, now, lease, shared)
  if kind == '' then
    return redis.pcall('SET', lock, owner .. '!', 'PX', lease).err
  end
  return addShare(lock, lock .. ':r', owner, math.floor(now / 1000), lease, shared)
end

