-- draw_token: draws a fencing token for a lock that was granted without one. The token exceeds every earlier one: see
-- acquire.
-- KEYS[1] the lock, a string: the owner, see acquire
-- KEYS[2] the fence counter
-- ARGV[1] owner
-- Replies: the token; 0 if this owner does not hold the lock
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of
-- answering 0.
local holder = redis.call('GETEX', KEYS[1])
if holder ~= ARGV[1] and holder ~= ARGV[1] .. '!' then
  return 0
end
local last = tonumber(redis.call('GET', KEYS[2]) or 0)
if not (last and last < 9007199254740991) then
  return redis.error_reply('WRONGTYPE The fence counter ' .. KEYS[2] .. ' holds something other than a token')
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local token = last >= now and last + 1 or now
redis.call('SET', KEYS[2], token)
return token
