-- INSPECT, once the record can be read.

read_lock_key()

local holders, waiters = {}, {}
local function append(list, ...)
  for _, part in ipairs({...}) do
    list[#list + 1] = part
  end
end

if foreign then
  append(holders, foreign.kind, foreign.owner, 'EX', '0', foreign.remaining)
end
if exclusive then
  append(holders, 'HOLDFAST', exclusive.owner, 'EX', text(exclusive.fence), exclusive.remaining)
end
local entries = redis.call('HGETALL', SHARED) -- all votes: a person who inspects a lock wants to see them
for i = 1, #entries, 2 do
  local vote = read_vote(entries[i], entries[i + 1])
  if vote then
    append(holders, 'HOLDFAST', vote.owner, vote.mode, text(vote.fence), vote.remaining)
  end
end

local expiry = {}
local expiries = redis.call('ZRANGE', EXPIRIES, 0, -1, 'WITHSCORES')
for i = 1, #expiries, 2 do
  expiry[expiries[i]] = tonumber(expiries[i + 1])
end
for from = 0, redis.call('ZCARD', QUEUE) - 1, CHUNK do
  local owners = redis.call('ZRANGE', QUEUE, from, from + CHUNK - 1)
  local requests = redis.call('HMGET', REQUESTS, unpack(owners))
  for i, owner in ipairs(owners) do
    if requests[i] and expiry[owner] and expiry[owner] > now then
      append(waiters, owner, string.sub(requests[i], 1, 2), expiry[owner] - now)
    end
  end
end
local seal = read_seal()
local value = read_value()
return {
  stored or '0', holders, waiters,
  seal and {seal.remaining, seal.ago, seal.by} or {},
  value and {text(value.token), text(value.number), value.text} or {},
}
