-- release_after: lets the lease of a lock end at a given time, earlier or later than it would have. Works while the
-- server is out of memory.
-- KEYS[1] the lock, a string: the owner, see acquire
-- ARGV[1] owner
-- ARGV[2] how long the lock stays taken, in milliseconds from now
-- Replies: 1 done, 0 not held by this owner
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of
-- answering 0.
local holder = redis.call('GETEX', KEYS[1])
if holder ~= ARGV[1] and holder ~= ARGV[1] .. '!' then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
