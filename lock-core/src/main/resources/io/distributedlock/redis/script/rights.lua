-- rights: runs before acquire or share, in the same script, until it was passed once. Refuses the lock if it could be
-- neither renewed nor released, because the user lacks a right or the server a command. Each command is tried on a key
-- beside the lock that nothing uses, so that it changes nothing.
-- KEYS[2] this unused key. The other KEYS are those of the script behind it, where KEYS[2] of share are the shares
-- Replies: an error that has no effect on the lock: NOPERM; else those of the script behind it, which sees its own KEYS
--          only
-- A full server grants the lock that is asked for in this way, because it only refuses the first write of a script.
do
  local missing = ''
  local function need(command, reply)
    local failure = type(reply) == 'table' and reply.err or ''
    if string.find(failure, "can't run") or string.find(failure, 'to run') or string.find(failure, 'Unknown') then
      missing = missing .. ' +' .. command
    end
  end
  need('getex', redis.pcall('GETEX', KEYS[2]))
  need('pttl', redis.pcall('PTTL', KEYS[2]))
  need('pexpire', redis.pcall('PEXPIRE', KEYS[2], 1))
  need('del', redis.pcall('DEL', KEYS[2]))
  if string.find(KEYS[3], ':r$') then
    need('zrange', redis.pcall('ZRANGE', KEYS[2], 0, 0))
    need('zrem', redis.pcall('ZREM', KEYS[2], ''))
  end
  table.remove(KEYS, 2)
  if missing ~= '' then
    return redis.error_reply('NOPERM A lock could not be renewed or released here. Grant the Redis user of the locks'
      .. missing .. '; Redis has these commands since version 6.2')
  end
end
