-- ACQUIRE in the usual case of a contended lock: an exclusive request behind an older exclusive vote and a non-empty queue.
-- It does the same as acquire-contended.lua, which handles all other cases.

-- Returns for how long the ttl of a queued request is remembered. Its vote may come as late as the entry ends, and last as long again before its first
-- extension.
local function queue_retention()
  return math.max(tonumber(ARGV[3]), 4 * tonumber(ARGV[5]))
end

if latest[1] and type(holder) == 'string' and ARGV[5] ~= '0' and (ARGV[8] or '0') == '0' then
  local attempt, held_since = parse_owner(ARGV[1]), parse_owner(holder)
  local ttl, longest = tonumber(ARGV[2]), tonumber(redis.call('GET', ttl_key) or 0) or 0
  if held_since and held_since < attempt
    and (longest > ttl or (longest == ttl and redis.call('PTTL', ttl_key) >= queue_retention() / 2)) -- otherwise the node has to remember the ttl
    and not redis.call('ZRANGEBYSCORE', KEYS[7], '-inf', text(now), 'LIMIT', 0, 1)[1] then
    local remaining = redis.call('PTTL', KEYS[1])
    local remembered = tonumber(redis.call('GET', KEYS[2]) or tonumber(time[1]) * 1048576)
    local expiry, last = now + tonumber(ARGV[5]), redis.call('ZREVRANGE', KEYS[7], 0, 0, 'WITHSCORES')
    redis.call('ZADD', KEYS[3], text(attempt), ARGV[1])
    redis.call('ZADD', KEYS[7], text(expiry), ARGV[1])
    redis.call('HSET', KEYS[8], ARGV[1], 'EX|' .. ARGV[2] .. '|' .. ARGV[5] .. '|' .. (ARGV[7] or '1'))
    if expiry > tonumber(last[2] or 0) then -- otherwise the keys already last long enough
      for _, key in ipairs({KEYS[3], KEYS[7], KEYS[8]}) do
        redis.call('PEXPIREAT', key, text(expiry))
      end
      others_for(tonumber(ARGV[5]))
    end
    local place = redis.call('ZRANK', KEYS[3], ARGV[1]) or 0 -- an entry that lasts a millisecond may have expired while the script ran
    return {
      'QUEUED', remaining, text(math.max(remembered, base_now(ARGV[4]))), place + 1, 'HOLDFAST', holder, remaining,
      text(math.max(tonumber(latest[2]), attempt)), longest > ttl and longest or 0,
    }
  end
end

