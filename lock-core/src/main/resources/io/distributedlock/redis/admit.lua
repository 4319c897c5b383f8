-- admit: stands before acquire, in the same script. Refuses while the server may have forgotten locks, because it has lost its data.
-- KEYS, the last one: the marker: until when nothing is granted, in milliseconds of the server's clock. It never expires, so it is only missing if
--                     the locks are lost as well
-- ARGV, the last one: for how long nothing is granted once the marker was missing, in milliseconds
-- Replies: an error that begins with QUARANTINE and has no effect on the lock; else those of acquire, which sees its own KEYS and ARGV only
do
  local marker, quarantine = table.remove(KEYS), table.remove(ARGV)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ends = redis.call('GET', marker)
  if not ends then
    ends = string.format('%.0f', now + quarantine)
    redis.call('SET', marker, ends)
  end
  if now < tonumber(ends) then
    return redis.error_reply('QUARANTINE No lock is granted for ' .. tonumber(ends) - now .. ' ms, because this server is new to its quorum or has lost its data')
  end
end
