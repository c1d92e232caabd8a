-- ACQUIRE of a contended lock, and in modes other than EX. The numbers are those of PROTOCOL.md, section 3.

local owner, ttl, waiter_ttl = ARGV[1], tonumber(ARGV[2]), ARGV[5]
local mode, tokens, floor, heal = ARGV[6] or 'EX', ARGV[7] or '1', tonumber(ARGV[8] or 0), ARGV[9] == '1'
local attempt, client = parse_owner(owner)
retention, base = ARGV[3], base_now(ARGV[4])

read_votes()
drop_expired()

local function latest_ticket_time()
  local last = redis.call('ZREVRANGE', QUEUE, 0, 0, 'WITHSCORES')
  local latest = last[2] and tonumber(last[2]) or 0
  if exclusive then
    latest = math.max(latest, exclusive.attempt)
  end
  for _, other in ipairs(SHARED_MODES) do
    if lasts_until[other] > 0 then
      local from, to = tickets_in(other)
      local owner = redis.call('ZREVRANGEBYSCORE', INDEX, to, from, 'LIMIT', 0, 1)[1]
      latest = math.max(latest, owner and parse_owner(owner) or 0)
    end
  end
  return text(latest)
end

-- Returns the time until the first vote with a token of another owner ends.
local function remaining_millis()
  if foreign then
    return foreign.remaining
  end
  local soonest = exclusive and exclusive.owner ~= owner and exclusive.remaining or nil
  for _, other in ipairs(SHARED_MODES) do
    if other ~= 'NL' and lasts_until[other] > 0 then
      local two = redis.call('ZRANGEBYSCORE', INDEX, by_expiry(other, now + 1), by_expiry(other, EXPIRY_SPAN - 1),
        'WITHSCORES', 'LIMIT', 0, 2)
      local first = two[two[1] == '!' .. owner and 4 or 2]
      if first then
        local remaining = tonumber(first) - MODE_NUMBER[other] * EXPIRY_SPAN - now
        soonest = math.min(soonest or remaining, remaining)
      end
    end
  end
  return soonest or 0
end

local function longest_ttl()
  return tonumber(redis.call('GET', ttl_key) or 0) or 0
end

-- Returns the longest ttl if it exceeds the request's, otherwise 0.
local function longer_ttl()
  local longest = longest_ttl()
  return longest > ttl and longest or 0
end

local function remember_ttl(millis)
  local longest = longest_ttl()
  if mode ~= 'NL' and (longest < ttl or (longest == ttl and redis.call('PTTL', ttl_key) < millis / 2)) then
    redis.call('SET', ttl_key, text(ttl), 'PX', text(millis))
  end
end

-- Returns another owner's vote with the earliest ticket, which is the same at every node. If only expired votes remain, any of them.
local function first_conflict()
  local first = exclusive and exclusive.owner ~= owner and conflicting(mode, 'EX') and exclusive or nil
  for _, other in ipairs(SHARED_MODES) do
    if lasts_until[other] > 0 and conflicting(mode, other) then
      local from, to = tickets_in(other)
      local owners = redis.call('ZRANGEBYSCORE', INDEX, from, to, 'LIMIT', 0, 2)
      local found = owners[1] ~= owner and owners[1] or owners[2]
      local vote = found and read_vote(found, redis.call('HGET', SHARED, found))
      if not vote then
        local last = redis.call('ZREVRANGEBYSCORE', INDEX, by_expiry(other, EXPIRY_SPAN - 1), by_expiry(other, now + 1),
          'LIMIT', 0, 1)[1]
        vote = last and last ~= '!' .. owner and read_vote(string.sub(last, 2), redis.call('HGET', SHARED, string.sub(last, 2)))
      end
      if vote then
        local a, b = math.floor(vote.attempt / 8), first and math.floor(first.attempt / 8)
        if not first or a < b or (a == b and bytes_before(vote.owner, first.owner)) then
          first = vote
        end
      end
    end
  end
  return first
end

local function with_blocker(answer)
  local blocker = {kind = '', owner = '', remaining = 0}
  if foreign and mode ~= 'NL' then
    blocker = foreign
  elseif blocked(mode) then
    local first = first_conflict()
    if first then
      blocker = {kind = 'HOLDFAST', owner = first.owner, remaining = first.remaining}
    end
  end
  for _, part in ipairs({blocker.kind, blocker.owner, blocker.remaining, latest_ticket_time(), longer_ttl()}) do
    answer[#answer + 1] = part
  end
  return answer
end

local function denied(reason)
  return with_blocker({'DENIED', remaining_millis(), reason})
end

local function granted(vote)
  local answer = {'GRANTED', text(vote.fence), first_waiter_behind(vote.mode), latest_ticket_time(), longer_ttl()}
  local value = floor == 0 and read_value()
  if value then
    for _, part in ipairs({text(value.token), text(value.number), value.text}) do
      answer[#answer + 1] = part
    end
  end
  return answer
end

local function is_before(time_a, client_a, time_b, client_b)
  return time_a < time_b or (time_a == time_b and bytes_before(client_a .. '/', client_b .. '/'))
end

local function has_waiter_before()
  local first = redis.call('ZRANGE', QUEUE, 0, 0, 'WITHSCORES')
  if not first[1] then
    return false
  end
  local first_attempt, first_client = parse_owner(first[1])
  return is_before(first_attempt, first_client, attempt, client)
end

local function has_other_waiters()
  local own = redis.call('ZSCORE', QUEUE, owner) and 1 or 0
  return redis.call('ZCARD', QUEUE) > own
end

local function prolong(vote)
  local expiry = now + ttl
  if vote.mode == 'EX' then
    if not stored or floor > vote.fence then
      vote.fence = math.max(vote.fence, floor)
      set_fence(vote.fence)
    end
    if vote.remaining >= 0 and vote.remaining < ttl then
      redis.call('PEXPIRE', LOCK, text(ttl))
    end
  else
    if vote.mode ~= 'NL' and floor > vote.fence then
      vote.fence = floor
      set_fence(math.max(remembered_fence(), floor))
    end
    vote.expiry = math.max(vote.expiry, expiry)
    write_shared(vote)
    if vote.mode ~= 'NL' and vote.expiry == shared_until() then
      redis.call('PEXPIREAT', LOCK, text(vote.expiry))
    end
  end
  redis.call('PEXPIRE', FENCE, retention)
  keep_value()
  remember_ttl(tonumber(retention))
end

-- The vote must exclude all other writers.
local function write_value(vote)
  if not ARGV[10] or (vote.mode ~= 'EX' and vote.mode ~= 'PW') then
    return
  end
  if is_later(tonumber(ARGV[10]), tonumber(ARGV[11])) then
    redis.call('SET', VALUE, ARGV[10] .. '|' .. ARGV[11] .. '|' .. ARGV[12], 'PX', retention)
    others_for(tonumber(retention))
  end
end

local function queue()
  local told, waiter = {}, {} -- read before the request itself is in the queue
  for _, vote in ipairs(latest_conflicts(mode)) do
    waiter[vote.mode] = waiter[vote.mode] or first_waiter_behind(vote.mode)
    if is_before(attempt, client, vote.attempt, vote.client) or waiter[vote.mode] == '' then
      told[#told + 1] = vote
    end
  end
  redis.call('ZADD', QUEUE, text(attempt), owner)
  redis.call('ZADD', EXPIRIES, text(now + tonumber(waiter_ttl)), owner)
  redis.call('HSET', REQUESTS, owner, mode .. '|' .. ARGV[2] .. '|' .. waiter_ttl .. '|' .. tokens)
  expire_with_last(EXPIRIES, QUEUE, REQUESTS)
  others_for(tonumber(waiter_ttl))
  remember_ttl(queue_retention())
  for _, vote in ipairs(told) do
    push(vote.client, 'contended', vote.owner, text(vote.fence), owner)
  end
  local fence = fence_now()
  local place = (redis.call('ZRANK', QUEUE, owner) or 0) + 1 -- an entry that lasts a millisecond may have expired while the script ran
  promote_if_memory_allows()
  return with_blocker({'QUEUED', remaining_millis(), text(fence), place})
end

local seal = read_seal()
if seal then
  return {'SEALED', seal.remaining, seal.ago, seal.by}
end
if redis.call('ZSCORE', BURIED, owner) then
  return {'DENIED', 0, 'BURIED', '', '', 0, '0', 0}
end
local vote = find_vote(owner)
if vote then -- 1: extend, raise
  prolong(vote)
  write_value(vote)
  return granted(vote)
end
if floor > 0 then -- 2: heal, or nothing
  if heal and not blocked(mode) and not has_other_waiters() and not (stored and tonumber(stored) > floor) then
    if mode ~= 'NL' then
      stored = text(math.max(fence_now(), floor))
    end
    vote = grant(owner, mode, 0, ttl)
    remember_ttl(tonumber(retention))
    write_value(vote)
    return granted(vote)
  end
  return denied('NO_VOTE')
end
if not blocked(mode) and (mode == 'NL' or not has_waiter_before()) then -- 3
  vote = grant(owner, mode, tonumber(tokens), ttl)
  remember_ttl(tonumber(retention))
  return granted(vote)
end
if waiter_ttl ~= '0' and not (foreign and foreign.kind == 'OTHER_TYPE') then -- 4; no client queues behind a key that is not a lock
  return queue()
end
return denied(blocked(mode) and 'HELD' or 'WAITERS') -- 5
