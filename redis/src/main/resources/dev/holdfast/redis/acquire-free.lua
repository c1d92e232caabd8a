-- ACQUIRE of a lock that is free, for an exclusive vote. Appended to a script that says in `is_free` whether it is so, and in `is_alone` whether
-- the key of the others is there for nothing, if it is.

if is_free then
  local fence = redis.call('INCRBY', KEYS[2], tokens_granted)
  local remembered, base = fence - tokens_granted, tonumber(ARGV[4])
  if remembered < base then -- less than was given, maybe: base it on time, so that it rises over what was forgotten
    local absent = remembered == 0 and tonumber(redis.call('TIME')[1]) * 1048576 or 0
    fence = math.max(absent, base) + tokens_granted
    redis.call('SET', KEYS[2], string.format('%.0f', fence), 'PX', ARGV[3])
  else
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
  end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  if is_alone then
    redis.call('DEL', KEYS[10]) -- last, since after a write that needs no memory Redis refuses none for want of it
  end
  return fence
end

