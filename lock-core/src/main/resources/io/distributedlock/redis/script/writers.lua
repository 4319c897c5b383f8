-- writers: runs before share, in the same script. Whether a claim that wants a lock alone waits in its queue, KEYS[4],
-- at this time in microseconds, and its process is heard on this server. Those of processes that are gone are removed.
-- Where the user may not ask that, each claim counts. Looks at the first 100 claims, so that a long queue costs no
-- more: those behind it are served before a claim that comes now in any case.
local function writerWaits(now)
  local first = redis.pcall('ZRANGE', KEYS[4], 0, 99, 'WITHSCORES')
  for i = 1, #first, 2 do
    local patience, channel, kind = string.match(first[i], '^%d+ (%d+) (%S+) %d+ %S+ ?(%a*)$')
    if kind == '' or kind == 'fenced' then
      local near = now <= first[i + 1] + patience * 1000 and redis.pcall('PUBSUB', 'NUMSUB', channel) or {}
      if near.err or (near[2] or 0) > 0 then
        return true
      end
      redis.pcall('ZREM', KEYS[4], first[i])
    end
  end
  return false
end

