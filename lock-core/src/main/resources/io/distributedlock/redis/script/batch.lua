-- batch: runs for many locks what extends one, in the same script. A call of extend sees the keys and arguments of its
-- own lock only.
-- KEYS[1] the fence counter
-- KEYS[2..] the locks, each a string, the owner; or in turn a lock that is shared and its shares, see share
-- ARGV[1] ttl in milliseconds, from now
-- ARGV[2] the highest token of the grants: a counter that was lost is raised to it, if one of the locks is still held;
--         0 if none has a token
-- ARGV[3..] the owner of each lock
-- Replies: 1 if all are held for the ttl. Else a list with one element for each lock: the milliseconds that are left of
--          its lease, 0 if this owner does not hold it, or the text of an error. One lock's error is no other's.
local pcall = redis.pcall
local replies = {}
local held = false
local all = true
local count = #ARGV - 2
local ttl = tonumber(ARGV[1])
local width = (#KEYS - 1) / count
local touched, arguments = {}, {ARGV[1]}
-- Redis compares expiries itself since version 7, which saves a command for each lock that one owner holds.
local compares = width == 1
for i = 1, count do
  local done = compares
      and pcall('GETEX', KEYS[i + 1]) == ARGV[i + 2]
      and pcall('PEXPIRE', KEYS[i + 1], ARGV[1], 'GT')
  if done == 1 then
    replies[i] = ttl
    held = true
  else
    compares = compares and type(done) ~= 'table'
    local first = (i - 1) * width + 2
    touched[1], touched[2], arguments[2] = KEYS[first], KEYS[first + 1], ARGV[i + 2]
    local left = extend(touched, arguments)
    replies[i] = left
    held = held or (type(left) == 'number' and left > 0)
    all = all and left == ttl
  end
end
local fenced = held and ARGV[2] ~= '0'
local last = fenced and pcall('GET', KEYS[1])
local known = type(last) == 'string' and tonumber(last)
if fenced and (not last or (known and known < tonumber(ARGV[2]))) then
  pcall('SET', KEYS[1], ARGV[2])
end
return all and 1 or replies
