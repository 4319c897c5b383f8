-- extend_share: the same as extend for a share of a lock. Its lock lasts as long as the longest share.
-- KEYS[1] the lock
-- KEYS[2] its shares: see share
-- ARGV and replies: see extend
-- Out of memory, the server refuses ZADD as a first write, but not after PEXPIRE, so that one comes first, in any case.
local holder = redis.pcall('GETEX', KEYS[1])
if type(holder) == 'table' then
  return holder.err
elseif not (holder and string.find(holder, '^~shared')) then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = redis.pcall('ZSCORE', KEYS[2], ARGV[2])
if type(ends) == 'table' then
  return ends.err
elseif not ends or tonumber(ends) <= now then
  return 0
end
local ttl = tonumber(ARGV[1])
local left = math.max(redis.call('PTTL', KEYS[1]), ttl)
local done = redis.pcall('PEXPIRE', KEYS[1], left)
done = type(done) == 'table' and done or redis.pcall('PEXPIRE', KEYS[2], left)
done = type(done) == 'table' and done or redis.pcall('ZADD', KEYS[2], 'XX', 'GT', now + ttl, ARGV[2])
return type(done) == 'table' and done.err or math.max(ends - now, ttl)
