-- release: lets go of a lock: gives it to the first claim in its queue that somebody waits for, or deletes it. Works while the server is out of memory.
-- KEYS[1] the lock
-- KEYS[2] its queue: a sorted set; score: the arrival, in microseconds of the server's clock; member: 'lease patience channel owner', both in milliseconds
-- KEYS[3] the fence counter. Both are absent where nobody queues
-- ARGV[1] owner
-- ARGV[2] the owner's own member of the queue, which is withdrawn; absent if it is not there
-- Replies: 1 let go, 0 not held by this owner
-- Message: 'token time lease lock owner', the time of the grant in microseconds of the server's clock
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of answering 0.
-- What a user may lack the right to do goes through pcall: the lock is let go in any case.
if ARGV[2] then
  redis.pcall('ZREM', KEYS[2], ARGV[2])
end
if redis.call('GETEX', KEYS[1]) ~= ARGV[1] then
  return 0
end
for _ = 1, KEYS[2] and 16 or 0 do
  local first = redis.pcall('ZPOPMIN', KEYS[2])
  if not first[1] then
    break
  end
  local lease, patience, channel, owner = string.match(first[1], '^(%d+) (%d+) (%S+) (.+)$')
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local last = tonumber(redis.pcall('GET', KEYS[3]) or 0)
  if owner and last and last < 9007199254740991 and now <= first[2] + patience * 1000 then
    local token = string.format('%.0f', math.max(now, last + 1))
    if redis.pcall('SET', KEYS[1], owner, 'PX', lease).ok and redis.pcall('SET', KEYS[3], token).ok then
      local message = token .. ' ' .. string.format('%.0f', now) .. ' ' .. lease .. ' ' .. KEYS[1] .. ' ' .. owner
      local heard = redis.pcall('PUBLISH', channel, message)
      if type(heard) == 'number' and heard > 0 then
        return 1
      end
    end
  end
end
return redis.call('DEL', KEYS[1])
