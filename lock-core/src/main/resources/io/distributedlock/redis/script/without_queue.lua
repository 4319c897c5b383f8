-- without_queue: in place of grant_next and writers where the queue is left alone. No claim is granted the lock, and
-- none waits.
local function grant_next(shared)
  return shared
end
local function writerWaits()
  return false
end

