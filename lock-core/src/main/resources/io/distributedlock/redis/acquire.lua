-- acquire: one try to take a lock. Safe to repeat for the same owner. An error reply means that this call has not taken it.
-- KEYS[1] the lock: a string, the owner
-- KEYS[2] the fence counter
-- ARGV[1] owner
-- ARGV[2] ttl in milliseconds
-- Replies: {1, token, milliseconds left}  taken by this call
--          {2, token, milliseconds left}  this owner had taken it before; its expiry is unchanged
--          {0, 0, milliseconds left}      held by another owner; -1 left if its key never expires
-- The token exceeds every earlier one, also after the loss of the counter, because it never falls behind the server's clock in microseconds.
-- Whatever can fail comes before the first write, and the second write is of the same kind as the first, so it can't be refused alone.
local last = tonumber(redis.call('GET', KEYS[2]) or 0)
if not (last and last < 9007199254740991) then
  return redis.error_reply('WRONGTYPE The fence counter ' .. KEYS[2] .. ' holds something other than a token')
end
local now = redis.call('TIME')
local token = now[1] * 1000000 + now[2]
if last >= token then
  token = last + 1
end
local taken = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
if not taken and redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return {0, 0, redis.call('PTTL', KEYS[1])}
end
redis.call('SET', KEYS[2], string.format('%.0f', token))
if taken then
  return {1, token, tonumber(ARGV[2])}
end
return {2, token, redis.call('PTTL', KEYS[1])}
