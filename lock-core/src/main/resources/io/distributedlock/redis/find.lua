-- find: who holds a lock, and how many wait for it, for people who look. Changes nothing.
-- KEYS[1] the lock
-- KEYS[2] its queue
-- Replies: {owner, milliseconds left, waiting}  held; -1 left if its key never expires; -1 waiting if the user may not count them
--          {}                                   free
local owner = redis.call('GET', KEYS[1])
if not owner then
  return {}
end
local waiting = redis.pcall('ZCARD', KEYS[2])
return {owner, redis.call('PTTL', KEYS[1]), type(waiting) == 'number' and waiting or -1}
