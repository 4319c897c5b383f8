-- extend: lets leases end later, never earlier, each one if its owner still holds the lock. Works while the server is out of memory.
-- KEYS[1] the fence counter
-- KEYS[2..] the locks, each a string, the owner
-- ARGV, three for each lock: owner; ttl in milliseconds, from now; the token of the grant: the counter is raised to it where it was lost
-- Replies: a list with one element for each lock: 1 held, 0 not held by this owner, or the text of an error. One lock's error is no other's.
-- GETEX without options reads like GET but counts as a write, so a replica with old data refuses it instead of answering 0.
local function extend(key, owner, ttl)
  local holder = redis.pcall('GETEX', key)
  if type(holder) == 'table' then
    return holder.err
  elseif holder ~= owner then
    return 0
  end
  local left = redis.pcall('PTTL', key)
  if type(left) == 'number' and left < tonumber(ttl) then
    left = redis.pcall('PEXPIRE', key, ttl)
  end
  return type(left) == 'table' and left.err or 1
end

local replies = {}
local highest
for i = 2, #KEYS do
  local at = (i - 2) * 3
  replies[i - 1] = extend(KEYS[i], ARGV[at + 1], ARGV[at + 2])
  local token = ARGV[at + 3]
  if replies[i - 1] == 1 and not (highest and tonumber(token) <= tonumber(highest)) then
    highest = token
  end
end
local last = highest and redis.pcall('GET', KEYS[1])
local known = type(last) == 'string' and tonumber(last)
if highest and (not last or (known and known < tonumber(highest))) then
  redis.pcall('SET', KEYS[1], highest)
end
return replies
