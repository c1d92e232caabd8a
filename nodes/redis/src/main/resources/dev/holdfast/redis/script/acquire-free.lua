-- ACQUIRE of a free lock, for an exclusive vote. It is appended to a script that sets `is_free`. If the lock is free, that script also sets
-- `kept` (the values of the fence and of the longest ttl), `is_alone` (the key `others` exists although nothing needs it) and `ttl_key`
-- (the key of the longest ttl).

if is_free then
  local fence = tonumber(kept[1] or redis.call('GET', KEYS[2]) or 0) -- GET fails if the key has another type; MGET finds nothing
  local base, lasts = tonumber(ARGV[4]), false
  if fence < base then -- it may be less than an earlier grant: base it on time, so that it exceeds the lost fences
    local clock = redis.call('TIME')
    local seconds, micros = tonumber(clock[1]) * 1048576, tonumber(clock[2])
    if base == 9007199254740991 then -- as base_now in basics.lua
      base = seconds + math.floor(micros * 1.048576)
      local quarter = ARGV[3] * 262.144 -- of the retention, in fences: the first grant in each writes the longest ttl again
      lasts = math.floor(fence / quarter) == math.floor(base / quarter)
    else
      local millis = math.floor(micros / 1000) + 1
      base = math.min(base, seconds + math.floor(millis / 1000) * 1048576 + millis % 1000 * 1024)
    end
    fence = math.max(fence, base, fence == 0 and seconds or 0)
  end
  fence = fence + tokens_granted
  if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
    return 0 -- only acquire-alone.lua has not looked at the lock yet
  end
  redis.call('SET', KEYS[2], fence, 'PX', ARGV[3])
  local ttl, longest = tonumber(ARGV[2]), tonumber(kept[2] or 0) or 0
  if longest < ttl or (longest == ttl and not lasts and redis.call('PTTL', ttl_key) < tonumber(ARGV[3]) / 2) then
    redis.call('SET', ttl_key, ARGV[2], 'PX', ARGV[3])
  end
  if is_alone then
    redis.call('DEL', KEYS[10]) -- last: once a script has made a write that needs no memory, Redis no longer rejects its later writes at maxmemory
  end
  if longest > ttl then
    return {'GRANTED', string.format('%.0f', fence), '', string.match(ARGV[1], '/(%d+)/'), longest}
  end
  return fence
end

