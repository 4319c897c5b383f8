-- raise_fence: raises a fence counter that was lost, as batch does.
-- KEYS[1] the fence counter
-- ARGV[1] the highest token of the locks that are held
-- Replies: 1 if it was raised
local last = redis.call('GET', KEYS[1])
local known = last and tonumber(last)
if not last or (known and known < tonumber(ARGV[1])) then
  redis.call('SET', KEYS[1], ARGV[1])
  return 1
end
return 0
