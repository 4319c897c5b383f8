-- extend_share: the same as extend for a share of a lock. Its lock lasts as long as the longest share.
-- Out of memory, the server refuses ZADD as a first write, but not after PEXPIRE, so that one comes first, in any case.
local function extend(owner, ttl, key, shares)
  local holder = redis.pcall('GETEX', key)
  if type(holder) == 'table' then
    return holder.err
  elseif not (holder and string.find(holder, '^~shared')) then
    return 0
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ends = redis.pcall('ZSCORE', shares, owner)
  if type(ends) == 'table' then
    return ends.err
  elseif not ends or tonumber(ends) <= now then
    return 0
  end
  local left = math.max(redis.call('PTTL', key), ttl)
  for _, command in ipairs({
    {'PEXPIRE', key, left}, {'PEXPIRE', shares, left}, {'ZADD', shares, 'XX', 'GT', now + ttl, owner}
  }) do
    local done = redis.pcall(unpack(command))
    if type(done) == 'table' then
      return done.err
    end
  end
  return math.max(ends - now, ttl)
end

