-- batch: stands behind extend or extend-share, in the same script, and calls it for many locks.
-- KEYS[1] the fence counter
-- KEYS[2..] the locks, each a string, the owner; or in turn a lock that is shared and its shares, see share
-- ARGV, three for each lock: owner; ttl in milliseconds, from now; the token of the grant: the counter is raised to it where it was lost
-- Replies: a list with one element for each lock: 1 held, 0 not held by this owner, or the text of an error. One lock's error is no other's.
local replies = {}
local highest
local count = #ARGV / 3
local width = (#KEYS - 1) / count
for i = 1, count do
  local at = (i - 1) * 3
  local key = (i - 1) * width + 2
  replies[i] = extend(ARGV[at + 1], ARGV[at + 2], KEYS[key], KEYS[key + 1])
  local token = ARGV[at + 3]
  if replies[i] == 1 and not (highest and tonumber(token) <= tonumber(highest)) then
    highest = token
  end
end
local last = highest and redis.pcall('GET', KEYS[1])
local known = type(last) == 'string' and tonumber(last)
if highest and (not last or (known and known < tonumber(highest))) then
  redis.pcall('SET', KEYS[1], highest)
end
return replies
