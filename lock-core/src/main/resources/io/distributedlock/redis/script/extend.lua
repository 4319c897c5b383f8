-- extend: lets a lease end later, never earlier, if its owner still holds the lock. Works while the server is out of
-- memory. Runs by itself or for many locks, see batch. GETEX without options reads like GET but counts as a write, so a
-- replica with old data refuses it instead of answering 0.
-- KEYS[1] the lock, a string: the owner, see acquire
-- ARGV[1] ttl in milliseconds, from now
-- ARGV[2] owner
-- Replies: the milliseconds that are left of the lease, 0 if this owner does not hold the lock, or the text of an error
-- The expiry is compared here, because a proxy may check the arguments in a script against those of an older server:
-- PEXPIRE compares expiries since Redis 7 only.
local holder = redis.pcall('GETEX', KEYS[1])
if type(holder) == 'table' then
  return holder.err
elseif holder ~= ARGV[2] and holder ~= ARGV[2] .. '!' then
  return 0
end
local ttl = tonumber(ARGV[1])
local left = redis.pcall('PTTL', KEYS[1])
if type(left) == 'number' and left < ttl then
  local done = redis.pcall('PEXPIRE', KEYS[1], ttl)
  left = type(done) == 'table' and done or ttl
end
return type(left) == 'table' and left.err or left
