-- RELEASE when other clients wait or share, or with a tombstone, a seal or a value to write.

local owner, bury, seal = ARGV[1], tonumber(ARGV[4] or 0), tonumber(ARGV[5] or 0)
retention, base = ARGV[2], base_now(ARGV[3])

read_votes()

-- Lets the marker expire with the last of the votes that it stands for.
local function drop_shared(vote)
  redis.call('HDEL', SHARED, owner)
  redis.call('ZREM', INDEX, owner, '!' .. owner)
  lasts_until[vote.mode] = latest_expiry(vote.mode)
  if vote.mode == 'NL' then
    return
  end
  if shared_until() == 0 then
    redis.call('DEL', LOCK)
    holder = false
  else
    redis.call('PEXPIREAT', LOCK, text(shared_until()))
  end
end

local vote = find_vote(owner)
-- Writes the value back under a vote that excluded all other writers until now. If Redis has no memory for it, the release continues.
if ARGV[8] and had_fence and (had_vote or vote and vote.mode == 'PW') then
  redis.call('PEXPIRE', FENCE, retention)
  if not is_later(tonumber(ARGV[8]), tonumber(ARGV[9])) then
    keep_value()
  elseif not redis.pcall('SET', VALUE, ARGV[8] .. '|' .. ARGV[9] .. '|' .. ARGV[10], 'PX', retention).err then
    others_for(tonumber(retention))
  end
end
if vote then
  had_vote = true
  drop_shared(vote)
end
drop_expired()
if redis.call('ZSCORE', QUEUE, owner) then
  drop_waiters(owner)
end
if bury > 0 and type(redis.pcall('ZADD', BURIED, text(now + bury), owner)) == 'number' then -- if Redis has no memory for it, the release continues
  expire_with_last(BURIED)
  others_for(bury)
end
local unsealed
if seal > 0 then -- the first seal stays, and its time may be extended
  local remaining = redis.call('PTTL', SEAL)
  if remaining == -2 then
    unsealed = redis.pcall('SET', SEAL, text(now - tonumber(ARGV[6])) .. '|' .. ARGV[7], 'PX', text(seal)).err
  elseif seal > remaining and remaining ~= -1 then
    redis.call('PEXPIRE', SEAL, text(seal))
  end
  if not unsealed then
    others_for(math.max(seal, remaining))
  end
end
promote_if_memory_allows()
if unsealed then -- everything else is done, but the caller relies on the seal
  return redis.error_reply(unsealed)
end
return had_vote and 1 or 0
