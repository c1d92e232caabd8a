-- What acquire, release and inspect have in common once a lock is more than free or held by one: the record of a resource, as
-- LockRecord.java has it. Appended to a script that has read the lock key into `holder`. Reading is apart from purging, since
-- inspect changes nothing. KEYS as in acquire.lua.

if type(holder) == 'table' and not string.find(holder.err, 'WRONGTYPE', 1, true) then
  return holder
end

local LOCK, FENCE, QUEUE, SHARED, BURIED, SEAL, EXPIRIES, REQUESTS, VALUE =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local MARKER = 'holdfast:shared'
local CONFLICTS = {
  NL = '', CR = 'EX', CW = 'PR PW EX', PR = 'CW PW EX', PW = 'CW PR PW EX', EX = 'CR CW PR PW EX',
}
local CHUNK = 1000 -- arguments that fit on Lua's stack

local unpack = table.unpack or unpack
local retention, base -- of the fence; set by acquire and release

local votes = {} -- owner, mode, fence, expiry, remaining (-1: no expiry), attempt, client
local held = {NL = 0, CR = 0, CW = 0, PR = 0, PW = 0, EX = 0}
local foreign -- kind, owner, remaining of what is at the lock key, if Holdfast did not write it
local leftovers = {} -- owners in SHARED whose votes have ended
local shared_until, shared_key_until = 0, 0 -- the latest expiry of votes that the marker stands for, and of all in SHARED
local stored = redis.call('GET', FENCE)
local had_fence = stored -- whether what holders have left counts still

-- Not `<`, which in Redis follows the server's locale.
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

-- What the next token is above: never below the base of this run, since what is remembered may be older than what was given.
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

-- What holders have left: token, number, text; nothing if there is none, or an operator wrote something else there.
local function read_value()
  local token, number, left = string.match(had_fence and redis.call('GET', VALUE) or '', '^(%d+)|(%d+)|(.*)$')
  if not token or #token > 16 or #number > 16 or tonumber(token) > 9007199254740991 or tonumber(token) == 0
    or tonumber(number) > 9007199254740991 or tonumber(number) == 0 then
    return nil
  end
  return {token = tonumber(token), number = tonumber(number), text = left}
end

-- Whether this was written after what is kept, or nothing is kept.
local function is_later(token, number)
  local old = read_value()
  return not old or token > old.token or (token == old.token and number > old.number)
end

-- Whether the work is done for good: remaining, ago, by. Of what an operator wrote there only how long it lasts is known.
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

local function add_vote(owner, mode, fence, expiry, remaining)
  local attempt, client = parse_owner(owner)
  votes[#votes + 1] = {
    owner = owner, mode = mode, fence = fence, expiry = expiry, remaining = remaining, attempt = attempt, client = client,
  }
  held[mode] = held[mode] + 1
  if mode ~= 'EX' then
    shared_key_until = math.max(shared_key_until, expiry)
    if mode ~= 'NL' then
      shared_until = math.max(shared_until, expiry)
    end
  end
end

local function read_lock_key()
  if not holder or holder == MARKER then
    return
  end
  local remaining = redis.call('PTTL', LOCK)
  if type(holder) == 'table' then
    foreign = {kind = 'OTHER_TYPE', owner = redis.call('TYPE', LOCK).ok, remaining = remaining}
  elseif parse_owner(holder) then
    add_vote(holder, 'EX', remembered_fence(), now + remaining, remaining)
  else
    foreign = {kind = 'FOREIGN', owner = string.sub(holder, 1, 100), remaining = remaining}
  end
end

-- Without the marker at the lock key shared votes count no longer: an operator deleted it, or another's vote is there.
local function read_shared()
  local entries = redis.call('HGETALL', SHARED)
  for i = 1, #entries, 2 do
    local mode, expiry, fence = string.match(entries[i + 1], '^(%u%u)|(%d+)|(%d+)$')
    expiry = tonumber(expiry)
    if mode and expiry > now and (mode == 'NL' or holder == MARKER) and parse_owner(entries[i]) then
      add_vote(entries[i], mode, tonumber(fence), expiry, expiry - now)
    else
      leftovers[#leftovers + 1] = entries[i]
    end
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

local function read_votes()
  read_lock_key()
  read_shared()
end

local function drop_expired()
  in_chunks(leftovers, function(...) redis.call('HDEL', SHARED, ...) end)
  in_chunks(redis.call('ZRANGEBYSCORE', EXPIRIES, '-inf', text(now)), drop_waiters)
  redis.call('ZREMRANGEBYSCORE', BURIED, '-inf', text(now))
end

local function find_vote(owner)
  for _, vote in ipairs(votes) do
    if vote.owner == owner then
      return vote
    end
  end
end

local function blocked(mode)
  if mode == 'NL' then
    return false
  end
  if foreign then
    return true
  end
  for other, count in pairs(held) do
    if count > 0 and conflicting(mode, other) then
      return true
    end
  end
  return false
end

-- The votes that a mode conflicts with, in the order of their owner ids.
local function conflicts(mode)
  local found = {}
  for _, vote in ipairs(votes) do
    if conflicting(mode, vote.mode) then
      found[#found + 1] = vote
    end
  end
  table.sort(found, function(a, b) return bytes_before(a.owner, b.owner) end)
  return found
end

-- Sets the expiry of keys that hold several things to that of the last of them.
local function expire_with_last(zset, ...)
  local last = redis.call('ZREVRANGE', zset, 0, 0, 'WITHSCORES')
  if last[2] then
    for _, key in ipairs({zset, ...}) do
      redis.call('PEXPIREAT', key, text(tonumber(last[2])))
    end
  end
end

local function write_shared(vote)
  redis.call('HSET', SHARED, vote.owner, vote.mode .. '|' .. text(vote.expiry) .. '|' .. text(vote.fence))
  redis.call('PEXPIREAT', SHARED, text(shared_key_until))
  others_for(shared_key_until - now)
end

-- Foreign clients see the marker and stay out until the last of the shared votes has ended.
local function write_marker()
  holder = MARKER
  redis.call('SET', LOCK, MARKER, 'PX', text(shared_until - now))
end

local function grant(owner, mode, tokens, ttl)
  local fence = 0
  if mode ~= 'NL' then
    fence = fence_now() + tokens
    set_fence(fence)
  end
  add_vote(owner, mode, fence, now + ttl, ttl)
  if mode == 'EX' then
    holder = owner
    redis.call('SET', LOCK, owner, 'PX', text(ttl))
  else
    write_shared(votes[#votes])
    if mode ~= 'NL' then
      write_marker()
    end
  end
  if redis.call('ZREM', QUEUE, owner) == 1 then
    drop_waiters(owner)
  end
  return votes[#votes]
end

-- A push is a hint: a client that can't be told, or may not be, asks again by itself. With a value it is of another kind, and the value
-- is one line of it.
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

-- Those in line are looked through only behind shared votes, which may not hold up the first of them.
local function first_waiter_behind(vote)
  if vote.mode == 'EX' then
    return redis.call('ZRANGE', QUEUE, 0, 0)[1] or ''
  end
  for from = 0, redis.call('ZCARD', QUEUE) - 1, CHUNK do
    local waiters = redis.call('ZRANGE', QUEUE, from, from + CHUNK - 1)
    local requests = redis.call('HMGET', REQUESTS, unpack(waiters))
    for i, waiter in ipairs(waiters) do
      if requests[i] and conflicting(string.sub(requests[i], 1, 2), vote.mode) then
        return waiter
      end
    end
  end
  return ''
end

-- In ticket order, stopping at the first waiter that still conflicts. A sealed resource is granted to nobody.
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
      local waiter = first_waiter_behind(vote)
      if waiter ~= '' then -- first, so that whoever wins by the grant wins with the waiter known; a push of its own, as every version reads it
        push(vote.client, 'contended', owner, text(vote.fence), waiter)
      end
      push(vote.client, 'granted', owner, text(vote.fence))
    end
  end
end

-- Without memory to write a vote, the waiter gets it later; neither a release nor the asker may fail for that.
local function promote_if_memory_allows()
  local done, problem = pcall(promote)
  if not done then
    local message = type(problem) == 'table' and problem.err or tostring(problem)
    if not string.find(message, 'OOM', 1, true) then
      error(problem)
    end
  end
end

