-- grant_next: runs after shared_holds and before the scripts that release a lock. Grants it to the first claim in its
-- queue that a client waits for; if that one shares it, to all that follow up to one that wants it alone, and keeps
-- later readers out for that one: see share. A hint is published, and the lock stays free. Returns whether the lock is
-- held afterwards.
-- KEYS[1] the lock
-- KEYS[2] its shares: see share
-- KEYS[3] the fence counter
-- KEYS[4] the queue, a sorted set; score: the arrival, in microseconds of the server's clock; member: 'lease patience
--         channel number owner', and ' fenced', ' shared' or ' hint' behind that; the first two in milliseconds, the
--         number that of the claim in its process
-- shared: whether others share the lock now
-- Message: 'number token time signature', the time of the grant in microseconds of the server's clock; the token is
--          0 but for a fenced or shared claim. Every user may read and write messages, so it names neither lock nor owner; its
--          signature is the SHA-1 of all before it and the owner
-- Whether the claim's process is heard on this very server is asked first, because a message travels on, to replicas
-- and to the other nodes of a Cluster: a process that receives it there only must not take the lock for its own.
-- What a user may lack the right to do goes through pcall: the lock is released in any case.
local function grant_next(shared)
  local now
  for _ = 1, 100 do
    local first = redis.pcall('ZPOPMIN', KEYS[4])
    if not first[1] then
      break
    end
    local time = not now and redis.call('TIME')
    now = now or time[1] * 1000000 + time[2]
    local lease, patience, channel, number, owner, kind =
      string.match(first[1], '^(%d+) (%d+) (%S+) (%d+) (%S+) ?(%a*)$')
    local fenced = kind == 'fenced' or kind == 'shared'
    kind = kind == 'fenced' and '' or kind
    local last = not fenced and 0 or tonumber(redis.pcall('GET', KEYS[3]) or 0)
    local near = owner and redis.pcall('PUBSUB', 'NUMSUB', channel)[2] or 0
    local waits = near > 0 and now <= first[2] + patience * 1000
    if shared and waits and kind ~= 'shared' then
      redis.pcall('ZADD', KEYS[4], first[2], first[1])
      redis.pcall('PEXPIRE', KEYS[4], 60000)
      if kind == '' then
        redis.pcall('SET', KEYS[1], '~shared ' .. string.format('%.0f', now / 1000 + 10000) .. ' queued', 'KEEPTTL')
      end
      break
    end
    if waits and last and last < 9007199254740991 then
      local token = fenced and string.format('%.0f', math.max(now, last + 1)) or '0'
      local refused = kind ~= 'hint' and give(owner, kind, now, lease, shared)
        or fenced and redis.pcall('SET', KEYS[3], token).err
      local message = number .. ' ' .. token .. ' ' .. string.format('%.0f', now) .. ' '
      local heard = not refused and redis.pcall('PUBLISH', channel, message .. redis.sha1hex(message .. owner))
      if type(heard) == 'number' and heard > 0 and kind ~= 'shared' then
        return kind == ''
      elseif type(heard) == 'number' and heard > 0 then
        shared = true
      elseif kind == 'shared' then
        redis.pcall('ZREM', KEYS[2], owner)
      end
    end
  end
  return shared
end

