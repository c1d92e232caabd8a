-- ACQUIRE when others have to do with the lock, and in modes other than EX. The numbers are those of PROTOCOL.md, section 3.

local owner, ttl, waiter_ttl = ARGV[1], tonumber(ARGV[2]), ARGV[5]
local mode, tokens, floor, heal = ARGV[6] or 'EX', ARGV[7] or '1', tonumber(ARGV[8] or 0), ARGV[9] == '1'
local attempt, client = parse_owner(owner)
retention, base = ARGV[3], base_now(ARGV[4])

read_votes()
drop_expired()

local function latest_ticket_time()
  local last = redis.call('ZREVRANGE', QUEUE, 0, 0, 'WITHSCORES')
  local latest = last[2] and tonumber(last[2]) or 0
  for _, vote in ipairs(votes) do
    latest = math.max(latest, vote.attempt)
  end
  return text(latest)
end

-- The time until the first vote of others that bears a token ends.
local function remaining_millis()
  if foreign then
    return foreign.remaining
  end
  local soonest
  for _, vote in ipairs(votes) do
    if vote.mode ~= 'NL' and vote.owner ~= owner and (not soonest or vote.remaining < soonest) then
      soonest = vote.remaining
    end
  end
  return soonest or 0
end

local function longest_ttl()
  return tonumber(redis.call('GET', ttl_key) or 0) or 0
end

-- What the asker has to know of, or 0.
local function longer_ttl()
  local longest = longest_ttl()
  return longest > ttl and longest or 0
end

-- A vote that is granted from the queue lasts for less until its first extension, which comes here.
local function remember_ttl()
  local longest = longest_ttl()
  if mode ~= 'NL'
    and (longest < ttl or (longest == ttl and redis.call('PTTL', ttl_key) < tonumber(retention) / 2)) then
    redis.call('SET', ttl_key, text(ttl), 'PX', retention)
  end
end

local function with_blocker(answer)
  local blocker = {kind = '', owner = '', remaining = 0}
  if foreign and mode ~= 'NL' then
    blocker = foreign
  elseif blocked(mode) then
    local first
    for _, vote in ipairs(votes) do
      if vote.owner ~= owner and conflicting(mode, vote.mode) and (not first or bytes_before(vote.owner, first.owner)) then
        first = vote
      end
    end
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
  local answer = {'GRANTED', text(vote.fence), first_waiter_behind(vote), latest_ticket_time(), longer_ttl()}
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
    shared_key_until = math.max(shared_key_until, vote.expiry)
    write_shared(vote)
    if vote.mode ~= 'NL' and vote.expiry > shared_until then
      shared_until = vote.expiry
      redis.call('PEXPIREAT', LOCK, text(shared_until))
    end
  end
  redis.call('PEXPIRE', FENCE, retention)
  keep_value()
  remember_ttl()
end

-- Under a vote that keeps all other writers out.
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
  local told = {} -- before it is in the queue itself
  for _, vote in ipairs(conflicts(mode)) do
    if is_before(attempt, client, vote.attempt, vote.client) or first_waiter_behind(vote) == '' then
      told[#told + 1] = vote
    end
  end
  redis.call('ZADD', QUEUE, text(attempt), owner)
  redis.call('ZADD', EXPIRIES, text(now + tonumber(waiter_ttl)), owner)
  redis.call('HSET', REQUESTS, owner, mode .. '|' .. ARGV[2] .. '|' .. waiter_ttl .. '|' .. tokens)
  expire_with_last(EXPIRIES, QUEUE, REQUESTS)
  others_for(tonumber(waiter_ttl))
  for _, vote in ipairs(told) do
    push(vote.client, 'contended', vote.owner, text(vote.fence), owner)
  end
  local fence = fence_now()
  local place = (redis.call('ZRANK', QUEUE, owner) or 0) + 1 -- a place for a millisecond may have ended while this ran
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
if vote then -- 1: prolong, raise
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
    remember_ttl()
    write_value(vote)
    return granted(vote)
  end
  return denied('NO_VOTE')
end
if not blocked(mode) and (mode == 'NL' or not has_waiter_before()) then -- 3
  vote = grant(owner, mode, tonumber(tokens), ttl)
  remember_ttl()
  return granted(vote)
end
if waiter_ttl ~= '0' and not (foreign and foreign.kind == 'OTHER_TYPE') then -- 4; what is no lock is not waited for in line
  return queue()
end
return denied(blocked(mode) and 'HELD' or 'WAITERS') -- 5
