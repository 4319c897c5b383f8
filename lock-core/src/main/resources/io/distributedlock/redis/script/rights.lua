-- rights: runs before acquire or share, in the same script, until it was passed once. Refuses the lock if it could be
-- neither renewed nor released, because the user lacks a right or the server a command. Each command is tried on a key
-- beside the lock that nothing uses, so that it changes nothing.
-- KEYS: see acquire and share
-- Replies: an error that has no effect on the lock: NOPERM; else those of the script behind it
-- A full server grants the lock that is asked for in this way, because it only refuses the first write of a script.
do
  local unused = KEYS[1] .. ':unused'
  local needed = {{'GETEX', unused}, {'PTTL', unused}, {'PEXPIRE', unused, 1}, {'DEL', unused}}
  if KEYS[3] == KEYS[1] .. ':r' then
    needed[5] = {'ZRANGE', unused, 0, 0}
    needed[6] = {'ZREM', unused, ''}
  end
  local missing = ''
  for _, command in ipairs(needed) do
    local reply = redis.pcall(unpack(command))
    local failure = type(reply) == 'table' and reply.err or ''
    if string.find(failure, "can't run") or string.find(failure, 'to run') or string.find(failure, 'Unknown') then
      missing = missing .. ' +' .. string.lower(command[1])
    end
  end
  if missing ~= '' then
    return redis.error_reply('NOPERM A lock could not be renewed or released here. Grant the Redis user of the locks'
      .. missing .. '; Redis has these commands since version 6.2')
  end
end
