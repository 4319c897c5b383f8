-- unshare: releases a share of a lock; after the last one the lock is granted to the first claim in its queue, or is
-- deleted; always the latter behind without_queue. Works while the server is out of memory. What has to be read is read
-- before the first write.
-- KEYS[1] the lock
-- KEYS[2] its shares: see share
-- KEYS[3] the fence counter
-- KEYS[4] its queue: see grant_next. This and the counter are absent where the queue is left alone
-- ARGV as those of release
-- Replies: 1 released, 0 absent: held by no owner, 2 held by others
if ARGV[2] then
  redis.pcall('ZREM', KEYS[4], ARGV[2])
end
local holder = redis.call('GETEX', KEYS[1])
if not (holder and string.find(holder, '^~shared')) then
  return holder and 2 or 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0)
local longest = redis.call('ZRANGE', KEYS[2], -2, -1, 'WITHSCORES')
local left = 0
for i = 1, #longest, 2 do
  left = longest[i] ~= ARGV[1] and longest[i + 1] - now or left
end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.pcall('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if left > 0 then
  redis.pcall('PEXPIRE', KEYS[1], left)
elseif not grant_next(false) then
  redis.call('DEL', KEYS[1])
  redis.pcall('DEL', KEYS[2])
end
return ends > now and 1 or left > 0 and 2 or 0
