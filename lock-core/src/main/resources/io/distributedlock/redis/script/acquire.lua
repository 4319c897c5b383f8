-- acquire: one try to take a lock, and if that fails, a place in its queue. Safe to repeat for the same owner. An error
-- reply means that this call has not taken it.
-- KEYS[1] the lock: a string, the owner, with '!' behind it once a claim has queued for it, or what share has written.
--         A release that finds no mark looks for no queue. A lock that is taken while others are queued is marked, too
-- KEYS[2] the fence counter
-- KEYS[3] the queue: a sorted set of claims by their arrival; see release. Absent if the claim does not wait
-- ARGV[1] owner
-- ARGV[2] ttl in milliseconds
-- ARGV[3] 1 if the grant brings a token, 0 if not
-- ARGV[4] the claim as a member of the queue; without a queue anything if it waits; absent if it does not wait
-- ARGV[5] anything if the claim may be in the queue already, where it keeps its place
-- Replies: {token}                        taken by this call, for the whole ttl
--          {3, 0, 0}                      the same without a token
--          {2, token, milliseconds left}  this owner had taken it before; its expiry is unchanged
--          {0, time, milliseconds left}   held by another owner; -1 left if its key never expires; the server's time in
--                                         microseconds if the claim is queued, 0 if not
-- The token exceeds every earlier one, also after the loss of the counter, because it never falls behind the server's
-- clock in microseconds. Whatever can fail comes before the first write, and the second write is of the same kind as
-- the first, so it can't be refused alone.
local fenced = ARGV[3] == '1'
local last = fenced and tonumber(redis.call('GET', KEYS[2]) or 0)
if fenced and not (last and last < 9007199254740991) then
  return redis.error_reply('WRONGTYPE The fence counter ' .. KEYS[2] .. ' holds something other than a token')
end
local time = (fenced or ARGV[4]) and redis.call('TIME')
local now = time and time[1] * 1000000 + time[2]
local token = fenced and (last >= now and last + 1 or now) or 0
local taken = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
local holder = taken or redis.call('GET', KEYS[1])
if not taken and holder ~= ARGV[1] and holder ~= ARGV[1] .. '!' then
  local marked = KEYS[3] and (string.find(holder, '^~shared') or string.find(holder, '!$')
    or not redis.pcall('SET', KEYS[1], holder .. '!', 'KEEPTTL').err)
  local queued = marked and type(redis.pcall('ZADD', KEYS[3], 'NX', now, ARGV[4])) == 'number'
  if queued then
    redis.pcall('PEXPIRE', KEYS[3], 60000)
  end
  if ARGV[4] and string.find(holder, '^~shared') then
    local closed = string.format('%.0f', now / 1000 + (queued and 10000 or 500)) .. (queued and ' queued' or '')
    redis.pcall('SET', KEYS[1], '~shared ' .. closed, 'KEEPTTL')
  end
  return {0, queued and now or 0, redis.call('PTTL', KEYS[1])}
end
if fenced then
  redis.call('SET', KEYS[2], token)
end
if ARGV[5] then
  redis.pcall('ZREM', KEYS[3], ARGV[4])
end
if taken and KEYS[3] and redis.pcall('PTTL', KEYS[3]) ~= -2 then
  redis.pcall('SET', KEYS[1], ARGV[1] .. '!', 'KEEPTTL')
end
return taken and (fenced and {token} or {3, 0, 0}) or {2, token, redis.call('PTTL', KEYS[1])}
