-- ACQUIRE of a free lock, for an exclusive vote. It is appended to a script that sets `is_free`. If the lock is free, that script also sets
-- `is_alone` (the key `others` exists although nothing needs it) and `ttl_key` (the key of the longest ttl).

if is_free then
  local fence = redis.call('INCRBY', KEYS[2], tokens_granted)
  local remembered, base = fence - tokens_granted, tonumber(ARGV[4])
  local seconds
  if remembered < base then -- it may be less than an earlier grant: base it on time, so that it exceeds the lost fences
    local clock = redis.call('TIME')
    local millis = math.floor(tonumber(clock[2]) / 1000) + 1
    seconds = tonumber(clock[1]) * 1048576
    if base == 9007199254740991 then -- as base_now in basics.lua
      base = seconds + math.floor(tonumber(clock[2]) * 1.048576)
    else
      base = math.min(base, seconds + math.floor(millis / 1000) * 1048576 + millis % 1000 * 1024)
    end
  end
  if remembered < base then
    fence = math.max(remembered == 0 and seconds or 0, base) + tokens_granted
    redis.call('SET', KEYS[2], string.format('%.0f', fence), 'PX', ARGV[3])
  else
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
  end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  local ttl, longest = tonumber(ARGV[2]), tonumber(redis.call('GET', ttl_key) or 0) or 0
  if longest < ttl or (longest == ttl and redis.call('PTTL', ttl_key) < tonumber(ARGV[3]) / 2) then
    redis.call('SET', ttl_key, ARGV[2], 'PX', ARGV[3])
  end
  if is_alone then
    redis.call('DEL', KEYS[10]) -- last: once a script has made a write that needs no memory, Redis no longer rejects its later writes at maxmemory
  end
  if longest > ttl then
    return {'GRANTED', string.format('%.0f', fence), '', string.match(ARGV[1], '(%d+)/%d+$'), longest}
  end
  return fence
end

