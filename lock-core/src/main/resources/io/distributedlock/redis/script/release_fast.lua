-- release_fast: runs before shared_holds, grant_next and release, in the same script. Releases a lock without the mark
-- of a queue (see acquire) before anything else is looked at: that is all that most releases have to do. Works while the
-- server is out of memory.
-- KEYS, ARGV and replies: see release
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of
-- answering 0.
if ARGV[2] then
  redis.pcall('ZREM', KEYS[4], ARGV[2])
end
local holder = redis.call('GETEX', KEYS[1])
if holder == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
