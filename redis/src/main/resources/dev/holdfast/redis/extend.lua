-- Extensions of many leases, each as ACQUIRE (acquire.lua) answers it that finds its own exclusive vote and nobody else there. What is not
-- so is left as it is, and asked again by ACQUIRE.
--
-- KEYS  nine for each lease, as acquire.lua has them
-- ARGV  1 fence retention in ms, and three for each lease: owner id, ttl in ms, floor
-- Answers a list of integers, for each lease: its fence, or 0 for one that has to be asked again.

local fences = {}
for lease = 1, #KEYS / 9 do
  local key, argument = 9 * lease - 9, 3 * lease - 2
  local lock, fenceKey = KEYS[key + 1], KEYS[key + 2]
  fences[lease] = 0
  local there = redis.call('EXISTS', lock, KEYS[key + 3], KEYS[key + 4], KEYS[key + 5], KEYS[key + 6], KEYS[key + 9])
  if there == 1 and redis.pcall('GET', lock) == ARGV[argument + 1] then
    local fence = tonumber(redis.call('GET', fenceKey) or -1)
    if fence >= tonumber(ARGV[argument + 3]) then
      local remaining = redis.call('PTTL', lock)
      if remaining >= 0 and remaining < tonumber(ARGV[argument + 2]) then
        redis.call('PEXPIRE', lock, ARGV[argument + 2])
      end
      redis.call('PEXPIRE', fenceKey, ARGV[1])
      fences[lease] = fence
    end
  end
end
return fences
