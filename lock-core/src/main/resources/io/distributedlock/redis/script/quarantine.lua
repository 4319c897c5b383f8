-- quarantine: runs before acquire, in the same script. Refuses while the server may have forgotten locks: for a time
-- after it was started, which may have been without its data or with old data, and after the marker was lost, which
-- happens together with the locks.
-- KEYS[3] the marker: 'run since': which run of the server has granted locks, and when it was first seen, in
--         milliseconds of the server's clock. It never expires. One from the future was written by a clock that has
--         been set back since. The other KEYS are those of acquire
-- ARGV, the last one: for how long nothing is granted after that, in milliseconds: the longest lease of any lock
-- Replies: an error that has no effect on the lock: QUARANTINE, or NOPERM if the server does not say which run this is;
--          else those of acquire, which sees its own KEYS and ARGV only
-- The run is asked for here, because one that a client has read before may be over when its command is executed.
do
  local quarantine = tonumber(table.remove(ARGV))
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)')
  if not run then
    return redis.error_reply('NOPERM This node of a quorum can not tell whether it was restarted, so it grants no lock:'
      .. ' the Redis user of the locks needs +info')
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local known, since = string.match(redis.call('GET', KEYS[3]) or '', '^(%w+) (%d+)$')
  if known ~= run or tonumber(since) > now then
    since = now
    redis.call('SET', KEYS[3], run .. ' ' .. string.format('%.0f', now))
  end
  local left = since + quarantine - now
  if left > 0 then
    return redis.error_reply('QUARANTINE No lock is granted for ' .. left .. ' ms, because this server is new'
      .. ' to its quorum, was restarted or has lost its data, so it may have forgotten locks')
  end
  table.remove(KEYS, 3)
end
