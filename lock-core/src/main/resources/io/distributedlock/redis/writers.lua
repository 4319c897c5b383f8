-- writers: stands before share, in the same script. Whether a claim that wants a lock alone waits in its queue, at this time in microseconds.
-- Looks at the first 100 claims, so that a long queue costs no more: those behind it are served before a claim that comes now in any case.
local function writerWaits(queue, now)
  local first = queue and redis.pcall('ZRANGE', queue, 0, 99, 'WITHSCORES') or {}
  for i = 1, #first, 2 do
    local patience, kind = string.match(first[i], '^%d+ (%d+) %S+ %S+ ?(%a*)$')
    if kind == '' and now <= first[i + 1] + patience * 1000 then
      return true
    end
  end
  return false
end

