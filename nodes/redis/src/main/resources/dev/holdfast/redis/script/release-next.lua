-- RELEASE in the usual case of a contended lock: the vote was exclusive, and the first waiter requests an exclusive vote too.
-- It does the same as release-contended.lua, which handles all other cases.

if had_vote and not ARGV[8] and (ARGV[4] or '0') == '0' and (ARGV[5] or '0') == '0'
  and redis.call('EXISTS', KEYS[4], KEYS[5], KEYS[6], KEYS[9]) == 0
  and not redis.call('ZRANGEBYSCORE', KEYS[7], '-inf', text(now), 'LIMIT', 0, 1)[1] then
  local line = redis.call('ZRANGE', KEYS[3], 0, 2) -- the first waiter, the second, and maybe the releasing owner
  local first = line[1]
  local _, client = parse_owner(first)
  local ttl, waiter_ttl, tokens = string.match(redis.call('HGET', KEYS[8], first) or '', '^EX|(%d+)|(%d+)|(%d+)$')
  if client and ttl and first ~= ARGV[1] then
    local remembered = tonumber(redis.call('GET', KEYS[2]) or tonumber(time[1]) * 1048576)
    local fence = text(math.max(remembered, base_now(ARGV[3])) + tonumber(tokens))
    if not redis.pcall('SET', KEYS[2], fence, 'PX', ARGV[2]).err then -- Redis has memory for it
      redis.call('SET', KEYS[1], first, 'PX', text(math.min(tonumber(ttl), tonumber(waiter_ttl))))
      redis.call('ZREM', KEYS[3], first, ARGV[1])
      redis.call('ZREM', KEYS[7], first, ARGV[1])
      redis.call('HDEL', KEYS[8], first, ARGV[1])
      local waiter = line[2] == ARGV[1] and line[3] or line[2]
      if waiter and waiter ~= ARGV[1] then
        redis.pcall('PUBLISH', 'holdfast:push:' .. client, table.concat({'contended', first, fence, waiter, KEYS[1]}, '\n'))
      end
      redis.pcall('PUBLISH', 'holdfast:push:' .. client, table.concat({'granted', first, fence, KEYS[1]}, '\n'))
      return 1
    end
  end
end

