-- find: the holder of a lock, and how many wait for it, for the monitor. Changes nothing.
-- KEYS[1] the lock
-- KEYS[2] its queue
-- KEYS[3] its shares: see share
-- Replies: {owner, milliseconds left, waiting}          held; -1 left if its key never expires; -1 waiting if the user
--          may not count them
--          {any, milliseconds left, waiting, owners..}  shared by these, and perhaps more
--          {}                                           free
local owner = redis.call('GET', KEYS[1])
if not owner then
  return {}
end
local waiting = redis.pcall('ZCARD', KEYS[2])
local found = {string.gsub(owner, '!$', ''), redis.call('PTTL', KEYS[1]), type(waiting) == 'number' and waiting or -1}
if string.find(owner, '^~shared') then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local owners = redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. now, '+inf', 'LIMIT', 0, 1000)
  for _, each in ipairs(owners) do
    found[#found + 1] = each
  end
end
return found
