-- Extensions of many leases. Each is answered as acquire.lua answers ACQUIRE if the owner's exclusive vote is there and the lock is uncontended.
-- The script leaves all other leases unchanged, and the client re-sends their extensions with ACQUIRE.
--
-- KEYS  four for each lease: lock, fence, others, ttl, as in acquire.lua.
-- ARGV  1 fence retention in ms, and three for each lease: owner id, ttl in ms, floor.
-- Answers a list of integers, for each lease: its fence, or 0 if the client must re-send the extension.

local unpack = table.unpack or unpack
local fences = {}
for lease = 1, #KEYS / 4 do
  local lock, fence_key, others, ttl_key = unpack(KEYS, 4 * lease - 3, 4 * lease)
  local owner, ttl, floor = unpack(ARGV, 3 * lease - 1, 3 * lease + 1)
  fences[lease] = 0
  if redis.call('EXISTS', others) == 0 and redis.pcall('GET', lock) == owner then
    local fence = tonumber(redis.call('GET', fence_key) or -1)
    if fence >= tonumber(floor) and tonumber(redis.call('GET', ttl_key) or 0) >= tonumber(ttl) then
      local remaining = redis.call('PTTL', lock)
      if remaining >= 0 and remaining < tonumber(ttl) then
        redis.call('PEXPIRE', lock, ttl)
      end
      redis.call('PEXPIRE', fence_key, ARGV[1])
      fences[lease] = fence
    end
  end
end
return fences
