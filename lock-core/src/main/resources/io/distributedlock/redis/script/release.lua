-- release: releases a lock: grants it to the first claim in its queue that a client waits for, or deletes it; always
-- the latter behind without_queue. Works while the server is out of memory. What release_fast has read comes first.
-- KEYS[1] the lock
-- KEYS[2] its shares: see share
-- KEYS[3] the fence counter
-- KEYS[4] its queue: see grant_next. This and the two before it are absent where the queue is left alone
-- ARGV[1] owner
-- ARGV[2] the owner's own member of the queue, which is withdrawn; absent if it is not there. Readers that waited
--         behind it get their shares; if it was a hint that has left the lock free, the next one is served
-- Replies: 1 released, 0 absent: held by no owner, 2 held by another owner
if holder == ARGV[1] .. '!' then
  return grant_next(false) and 1 or redis.call('DEL', KEYS[1])
end
if ARGV[2] and string.find(holder or ARGV[2], holder and '^~shared' or ' hint$') then
  grant_next(holder and true)
end
return holder and 2 or 0
