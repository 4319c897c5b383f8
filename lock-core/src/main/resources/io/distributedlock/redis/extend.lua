-- extend: lets a lease end later, never earlier, if the owner still holds the lock. Works while the server is out of memory.
-- KEYS[1] the lock
-- KEYS[2] the fence counter
-- ARGV[1] owner
-- ARGV[2] ttl in milliseconds, from now
-- ARGV[3] the token of the grant: the counter is raised to it where it was lost
-- Replies: 1 held, 0 not held by this owner
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of answering 0.
if redis.call('GETEX', KEYS[1]) ~= ARGV[1] then
  return 0
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
local last = redis.pcall('GET', KEYS[2])
local known = type(last) == 'string' and tonumber(last)
if not last or (known and known < tonumber(ARGV[3])) then
  redis.pcall('SET', KEYS[2], ARGV[3])
end
return 1
