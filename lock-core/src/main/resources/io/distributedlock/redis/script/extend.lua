-- extend: lets a lease end later, never earlier, if its owner still holds the lock. Works while the server is out of
-- memory. See batch. GETEX without options reads like GET but counts as a write, so a replica with old data refuses it
-- instead of answering 0.
local function extend(owner, ttl, key)
  local holder = redis.pcall('GETEX', key)
  if type(holder) == 'table' then
    return holder.err
  elseif holder ~= owner then
    return 0
  end
  local left = redis.pcall('PTTL', key)
  if type(left) == 'number' and left < ttl then
    local done = redis.pcall('PEXPIRE', key, ttl)
    left = type(done) == 'table' and done or ttl
  end
  return type(left) == 'table' and left.err or left
end

