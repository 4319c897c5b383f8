-- replace: takes a lock from its owner, or a share, and gives it to another owner for a while, earlier or later than it
-- would have ended.
-- KEYS[1] the lock
-- KEYS[2] its shares: see share
-- ARGV[1] owner
-- ARGV[2] the other owner
-- ARGV[3] how long that one has it, in milliseconds from now
-- Replies: 1 done, 0 not held by this owner
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of
-- answering 0.
local holder = redis.call('GETEX', KEYS[1])
if holder == ARGV[1] or holder == ARGV[1] .. '!' then
  redis.call('SET', KEYS[1], ARGV[2] .. string.sub(holder, #ARGV[1] + 1), 'PX', ARGV[3])
  return 1
end
if not (holder and string.find(holder, '^~shared')) then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0) <= now then
  return 0
end
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[1])
local left = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2] - now
redis.call('PEXPIRE', KEYS[2], left)
return redis.call('PEXPIRE', KEYS[1], left)
