-- extend: lets a lease end later, never earlier, if its owner still holds the lock. Works while the server is out of
-- memory. See batch. GETEX without options reads like GET but counts as a write, so a replica with old data refuses it
-- instead of answering 0.
-- later: whether the server can compare the expiry itself, as Redis can since version 7
local later = true
local function extend(owner, ttl, key)
  local holder = redis.pcall('GETEX', key)
  if type(holder) == 'table' then
    return holder.err
  elseif holder ~= owner and holder ~= owner .. '!' then
    return 0
  end
  local done = later and redis.pcall('PEXPIRE', key, ttl, 'GT')
  later = type(done) == 'number'
  if done == 1 then
    return ttl
  end
  local left = redis.pcall('PTTL', key)
  if type(left) == 'number' and left < ttl then
    done = redis.pcall('PEXPIRE', key, ttl)
    left = type(done) == 'table' and done or ttl
  end
  return type(left) == 'table' and left.err or left
end

