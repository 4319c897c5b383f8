-- release: frees a lock if the owner holds it. Works while the server is out of memory.
-- KEYS[1] the lock
-- ARGV[1] owner
-- Replies: 1 freed, 0 not held by this owner
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of answering 0.
if redis.call('GETEX', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
