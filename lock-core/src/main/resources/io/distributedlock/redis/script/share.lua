-- share: one try to take a share of a lock, and if that fails, a place in its queue. Safe to repeat for the same owner.
-- An error reply means that this call has not taken it. It is refused while a claim waits that wants the lock alone.
-- KEYS[1] the lock: an owner who holds it alone, see acquire; or '~shared' while it is shared, until the last share ends; or '~shared time', if a claim that wants
--         it alone waits without a queue: no share is given before that time in milliseconds of the server's clock; or
--         '~shared time queued', if one waits in the queue: the same, but only while its process is heard. The waiter
--         renews the time with each try, every 3 s in the queue
-- KEYS[2] the shares: a sorted set of owners by the end of their lease, in milliseconds of the server's clock
-- KEYS[3] the fence counter
-- KEYS[4] the queue; absent where it is left alone
-- ARGV as those of acquire, but each share has a token; the member of the queue ends with ' shared'. ARGV[4] is absent if the claim does not wait
--      in the queue
-- Replies as those of acquire
local last = tonumber(redis.call('GET', KEYS[3]) or 0)
if not (last and last < 9007199254740991) then
  return redis.error_reply('WRONGTYPE The fence counter ' .. KEYS[3] .. ' holds something other than a token')
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local millis = math.floor(now / 1000)
local token = last >= now and last + 1 or now
local holder = redis.call('GET', KEYS[1])
local closed, queued = string.match(holder or '', '^~shared ?(%d*) ?(%a*)$')
local ends = closed and tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0) or 0
if ends <= millis then
  local wanted = closed and millis < (tonumber(closed) or 0) and (queued == '' or writerWaits(now))
  if holder and (not closed or wanted) then
    local marked = ARGV[4] and (closed or string.find(holder, '!$')
      or not redis.pcall('SET', KEYS[1], holder .. '!', 'KEEPTTL').err)
    local place = marked and type(redis.pcall('ZADD', KEYS[4], 'NX', now, ARGV[4])) == 'number'
    if place then
      redis.pcall('PEXPIRE', KEYS[4], 60000)
    end
    return {0, place and now or 0, redis.call('PTTL', KEYS[1])}
  end
  local refused = addShare(ARGV[1], millis, ARGV[2], holder)
  if refused then
    return refused
  end
end
redis.call('SET', KEYS[3], token)
if ARGV[5] then
  redis.pcall('ZREM', KEYS[4], ARGV[4])
end
return ends <= millis and {token} or {2, token, ends - millis}
