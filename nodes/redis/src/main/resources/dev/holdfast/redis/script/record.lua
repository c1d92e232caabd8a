-- The common part of acquire, release and inspect for locks that are neither free nor held by a single vote. It is the record of a
-- resource, like the class LockRecord. It is appended to a script that has read the lock key into `holder`. Reading is separate from purging, since
-- inspect changes nothing. KEYS as in acquire.lua.

if type(holder) == 'table' and not string.find(holder.err, 'WRONGTYPE', 1, true) then
  return holder
end

local LOCK, FENCE, QUEUE, SHARED, BURIED, SEAL, EXPIRIES, REQUESTS, VALUE, INDEX =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[11]
local MARKER = 'holdfast:shared'
local CONFLICTS = {
  NL = '', CR = 'EX', CW = 'PR PW EX', PR = 'CW PW EX', PW = 'CW PR PW EX', EX = 'CR CW PR PW EX',
}
local CHUNK = 1000 -- the number of arguments that fit on Lua's stack

local unpack = table.unpack or unpack
local retention, base -- of the fence; set by acquire and release

-- There can be many shared votes, so no script reads all of them. INDEX has two members for each: the owner by mode and ticket, and '!' with the
-- owner by mode and expiry. Older versions do not know INDEX. They change only SHARED, and drop every field of it that is not a vote. So a script
-- rebuilds INDEX if the field INDEXED is missing, or if INDEX has another number of members.
local SHARED_MODES = {'NL', 'CR', 'CW', 'PR', 'PW'}
local MODE_NUMBER = {NL = 1, CR = 2, CW = 3, PR = 4, PW = 5}
local EXPIRY_SPAN, TICKET_SPAN = 2 ^ 42, 2 ^ 50 -- a ticket is stored in units of 8 microseconds, so that with the mode it is below 2^53
local INDEXED = 'indexed'
local MOST_DROPPED = 100 -- how many expired votes of one mode a script drops
local MOST_TOLD = 100 -- how many holders in one mode a new waiter notifies
local MOST_WAITERS_SEEN = 100 -- how many waiters a script compares with a vote

-- A vote: owner, mode, fence, expiry, remaining (-1: no expiry), attempt, client
local exclusive -- the EX vote
local foreign -- kind, owner, remaining of the lock key's content, if Holdfast did not write it
local lasts_until = {NL = 0, CR = 0, CW = 0, PR = 0, PW = 0} -- the latest expiry of the votes in each mode, 0 for none
local stored = redis.call('GET', FENCE)
local had_fence = stored -- whether the value of the last holder is still valid

-- Compares bytes. The operator `<` follows the server's locale in Redis.
local function bytes_before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end

local function conflicting(a, b)
  return string.find(CONFLICTS[a], b, 1, true) ~= nil
end

local function remembered_fence()
  return stored and tonumber(stored) or tonumber(time[1]) * 1048576
end

-- Returns the base of the next token. It is never below the base of this run, since the remembered fence may be older than the last grant.
local function fence_now()
  return math.max(remembered_fence(), base)
end

local function keep_value()
  if redis.call('PEXPIRE', VALUE, retention) == 1 then
    others_for(tonumber(retention))
  end
end

local function set_fence(fence)
  if had_fence then
    keep_value()
  else
    redis.call('DEL', VALUE)
  end
  stored = text(fence)
  redis.call('SET', FENCE, stored, 'PX', retention)
end

-- Returns the value of the last holder: token, number, text. Returns nothing if there is none, or if an operator wrote something else there.
local function read_value()
  local token, number, left = string.match(had_fence and redis.call('GET', VALUE) or '', '^(%d+)|(%d+)|(.*)$')
  if not token or #token > 16 or #number > 16 or tonumber(token) > 9007199254740991 or tonumber(token) == 0
    or tonumber(number) > 9007199254740991 or tonumber(number) == 0 then
    return nil
  end
  return {token = tonumber(token), number = tonumber(number), text = left}
end

-- Returns whether this value is later than the stored one, or nothing is stored.
local function is_later(token, number)
  local old = read_value()
  return not old or token > old.token or (token == old.token and number > old.number)
end

-- Returns the seal: remaining, age, by whom. If an operator wrote the key, only the remaining time is known.
local function read_seal()
  local remaining = redis.call('PTTL', SEAL)
  if remaining == -2 then
    return nil
  end
  local raw = redis.pcall('GET', SEAL)
  local since, by = string.match(type(raw) == 'string' and raw or '', '^(%d+)|(.*)$')
  local ago = since and #since <= 16 and now - tonumber(since) or 0
  return {remaining = remaining, ago = math.max(ago, 0), by = by or ''}
end

local function make_vote(owner, mode, fence, expiry, remaining)
  local attempt, client = parse_owner(owner)
  return {
    owner = owner, mode = mode, fence = fence, expiry = expiry, remaining = remaining, attempt = attempt, client = client,
  }
end

local function read_lock_key()
  if not holder or holder == MARKER then
    return
  end
  local remaining = redis.call('PTTL', LOCK)
  if type(holder) == 'table' then
    foreign = {kind = 'OTHER_TYPE', owner = redis.call('TYPE', LOCK).ok, remaining = remaining}
  elseif parse_owner(holder) then
    exclusive = make_vote(holder, 'EX', remembered_fence(), now + remaining, remaining)
  else
    foreign = {kind = 'FOREIGN', owner = string.sub(holder, 1, 100), remaining = remaining}
  end
end

-- Returns the vote in a field of SHARED, nil if the vote does not count. Without the marker at the lock key shared votes do not count: an operator
-- has deleted it, or the key holds another owner's vote.
local function read_vote(owner, entry)
  local mode, expiry, fence = string.match(entry or '', '^(%u%u)|(%d+)|(%d+)$')
  expiry = tonumber(expiry)
  if mode and expiry > now and (mode == 'NL' or holder == MARKER) and parse_owner(owner) then
    return make_vote(owner, mode, tonumber(fence), expiry, expiry - now)
  end
end

local function in_chunks(list, action)
  for from = 1, #list, CHUNK do
    action(unpack(list, from, math.min(from + CHUNK - 1, #list)))
  end
end

local function drop_waiters(...)
  redis.call('ZREM', QUEUE, ...)
  redis.call('ZREM', EXPIRIES, ...)
  redis.call('HDEL', REQUESTS, ...)
end

local function by_expiry(mode, expiry)
  return text(MODE_NUMBER[mode] * EXPIRY_SPAN + expiry)
end

local function by_ticket(mode, attempt)
  return text(MODE_NUMBER[mode] * TICKET_SPAN + math.floor(attempt / 8))
end

local function tickets_in(mode)
  return text(MODE_NUMBER[mode] * TICKET_SPAN), '(' .. text((MODE_NUMBER[mode] + 1) * TICKET_SPAN)
end

local function index(vote)
  redis.call('ZADD', INDEX, by_ticket(vote.mode, vote.attempt), vote.owner, by_expiry(vote.mode, vote.expiry), '!' .. vote.owner)
end

local function latest_expiry(mode)
  local last = redis.call('ZREVRANGEBYSCORE', INDEX, by_expiry(mode, EXPIRY_SPAN - 1), by_expiry(mode, now + 1),
    'WITHSCORES', 'LIMIT', 0, 1)
  return last[2] and tonumber(last[2]) - MODE_NUMBER[mode] * EXPIRY_SPAN or 0
end

-- Computes the latest expiry of the votes that the marker stands for, and of all votes in SHARED.
local function shared_until()
  return math.max(lasts_until.CR, lasts_until.CW, lasts_until.PR, lasts_until.PW)
end

local function shared_key_until()
  return math.max(shared_until(), lasts_until.NL)
end

-- Rebuilds the index from SHARED alone: a version without an index wrote SHARED, or its votes no longer count.
local function make_index()
  redis.call('DEL', INDEX)
  local entries, gone = redis.call('HGETALL', SHARED), {}
  local last = 0
  for i = 1, #entries, 2 do
    local vote = read_vote(entries[i], entries[i + 1])
    if vote then
      index(vote)
      last = math.max(last, vote.expiry)
    else
      gone[#gone + 1] = entries[i]
    end
  end
  in_chunks(gone, function(...) redis.call('HDEL', SHARED, ...) end)
  if last > 0 then
    redis.call('HSET', SHARED, INDEXED, '1')
    redis.call('PEXPIREAT', INDEX, text(last))
  end
end

local function read_shared()
  local fields, members = redis.call('HLEN', SHARED), redis.call('ZCARD', INDEX)
  if fields == 0 and members == 0 then
    return
  end
  if members ~= 2 * (fields - 1) or redis.call('HEXISTS', SHARED, INDEXED) == 0 then
    make_index()
  end
  for _, mode in ipairs(SHARED_MODES) do
    lasts_until[mode] = latest_expiry(mode)
  end
  if shared_until() > 0 and holder ~= MARKER then
    make_index()
    lasts_until = {NL = latest_expiry('NL'), CR = 0, CW = 0, PR = 0, PW = 0}
  end
end

-- Only acquire and release call this, because it may write; inspect does not.
local function read_votes()
  read_lock_key()
  read_shared()
end

-- Drops expired votes, which no longer count: some at a time, and all that are left once the last has expired.
local function drop_expired_votes()
  if shared_key_until() == 0 then
    redis.call('UNLINK', SHARED, INDEX)
    return
  end
  for _, mode in ipairs(SHARED_MODES) do
    local some = redis.call('ZRANGEBYSCORE', INDEX, by_expiry(mode, 0), by_expiry(mode, now), 'LIMIT', 0, MOST_DROPPED)
    for _, member in ipairs(some) do
      local owner = string.sub(member, 2)
      redis.call('ZREM', INDEX, member, owner)
      redis.call('HDEL', SHARED, owner)
    end
  end
end

local function drop_expired()
  drop_expired_votes()
  in_chunks(redis.call('ZRANGEBYSCORE', EXPIRIES, '-inf', text(now)), drop_waiters)
  redis.call('ZREMRANGEBYSCORE', BURIED, '-inf', text(now))
end

local function find_vote(owner)
  if exclusive and exclusive.owner == owner then
    return exclusive
  end
  return shared_key_until() > 0 and read_vote(owner, redis.call('HGET', SHARED, owner)) or nil
end

local function blocked(mode)
  if mode == 'NL' then
    return false
  end
  if foreign or exclusive then
    return true
  end
  for _, other in ipairs(SHARED_MODES) do
    if lasts_until[other] > 0 and conflicting(mode, other) then
      return true
    end
  end
  return false
end

-- Returns the votes that a mode conflicts with: in each mode those with the latest tickets, the latest first.
local function latest_conflicts(mode)
  local found = {}
  for _, other in ipairs(SHARED_MODES) do
    if lasts_until[other] > 0 and conflicting(mode, other) then
      local first, last = tickets_in(other)
      local owners = redis.call('ZREVRANGEBYSCORE', INDEX, last, first, 'LIMIT', 0, MOST_TOLD)
      local entries = redis.call('HMGET', SHARED, unpack(owners))
      for i, owner in ipairs(owners) do
        found[#found + 1] = read_vote(owner, entries[i])
      end
    end
  end
  if exclusive and conflicting(mode, 'EX') then
    found[#found + 1] = exclusive
  end
  return found
end

-- Sets the expiry of each key with several entries to the expiry of its last entry.
local function expire_with_last(zset, ...)
  local last = redis.call('ZREVRANGE', zset, 0, 0, 'WITHSCORES')
  if last[2] then
    for _, key in ipairs({zset, ...}) do
      redis.call('PEXPIREAT', key, text(tonumber(last[2])))
    end
  end
end

local function write_shared(vote)
  lasts_until[vote.mode] = math.max(lasts_until[vote.mode], vote.expiry)
  redis.call('HSET', SHARED, vote.owner, vote.mode .. '|' .. text(vote.expiry) .. '|' .. text(vote.fence), INDEXED, '1')
  index(vote)
  for _, key in ipairs({SHARED, INDEX}) do
    redis.call('PEXPIREAT', key, text(shared_key_until()))
  end
  others_for(shared_key_until() - now)
end

-- Foreign clients see the marker and do not acquire the lock until the last of the shared votes has ended.
local function write_marker()
  holder = MARKER
  redis.call('SET', LOCK, MARKER, 'PX', text(shared_until() - now))
end

local function grant(owner, mode, tokens, ttl)
  local fence = 0
  if mode ~= 'NL' then
    fence = fence_now() + tokens
    set_fence(fence)
  end
  local vote = make_vote(owner, mode, fence, now + ttl, ttl)
  if mode == 'EX' then
    holder = owner
    exclusive = vote
    redis.call('SET', LOCK, owner, 'PX', text(ttl))
  else
    write_shared(vote)
    if mode ~= 'NL' then
      write_marker()
    end
  end
  if redis.call('ZREM', QUEUE, owner) == 1 then
    drop_waiters(owner)
  end
  return vote
end

-- A push is a hint: a client that misses it retries on a timer. A push with a value has a kind of its own, and one of its lines is the value.
local function push(client, kind, ...)
  local lines = {kind, ...}
  local value = read_value()
  if value then
    lines[1] = kind .. '-with'
    lines[#lines + 1] = text(value.token) .. '|' .. text(value.number) .. '|'
      .. string.gsub(string.gsub(value.text, '%%', '%%25'), '\n', '%%0A')
  end
  lines[#lines + 1] = LOCK
  redis.pcall('PUBLISH', 'holdfast:push:' .. client, table.concat(lines, '\n'))
end

-- Searches the queue only behind shared votes, which might not block the first waiter. It does not search far: later waiters wait for earlier ones.
local function first_waiter_behind(mode)
  local first = redis.call('ZRANGE', QUEUE, 0, 0)
  if mode == 'EX' or not first[1] then
    return first[1] or ''
  end
  for _, waiters in ipairs({first, redis.call('ZRANGE', QUEUE, 1, MOST_WAITERS_SEEN - 1)}) do
    local requests = waiters[1] and redis.call('HMGET', REQUESTS, unpack(waiters))
    for i, waiter in ipairs(waiters) do
      if requests[i] and conflicting(string.sub(requests[i], 1, 2), mode) then
        return waiter
      end
    end
  end
  return ''
end

-- Grants in ticket order, and stops at the first waiter that still conflicts. No waiter acquires a sealed resource.
local function promote()
  while redis.call('EXISTS', SEAL) == 0 do
    local owner = redis.call('ZRANGE', QUEUE, 0, 0)[1]
    if not owner then
      return
    end
    local mode, ttl, waiter_ttl, tokens =
      string.match(redis.call('HGET', REQUESTS, owner) or '', '^(%u%u)|(%d+)|(%d+)|(%d+)$')
    if not mode then -- an operator deleted a part of the record
      drop_waiters(owner)
    elseif blocked(mode) then
      return
    else
      local vote = grant(owner, mode, tonumber(tokens), math.min(tonumber(ttl), tonumber(waiter_ttl)))
      local waiter = first_waiter_behind(vote.mode)
      if waiter ~= '' then -- before GRANTED, so that the new holder knows its waiter; a separate push, because every version can read that
        push(vote.client, 'contended', owner, text(vote.fence), waiter)
      end
      push(vote.client, 'granted', owner, text(vote.fence))
    end
  end
end

-- If Redis has no memory for the vote, the waiter gets it later. Neither a release nor another client's request may fail because of that.
local function promote_if_memory_allows()
  local done, problem = pcall(promote)
  if not done then
    local message = type(problem) == 'table' and problem.err or tostring(problem)
    if not string.find(message, 'OOM', 1, true) then
      error(problem)
    end
  end
end

