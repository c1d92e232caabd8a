-- ACQUIRE of PROTOCOL.md, section 3. This file is the way that most requests take: the lock is free or the asker's own, and nobody
-- else has anything to do with it. What it does not settle goes on in record.lua and acquire-contended.lua, which are appended.
--
-- KEYS  1 lock      string: the owner id of the EX vote; 'holdfast:shared' while shared votes stand; anything else is foreign
--       2 fence     string: the largest fence given out
--       3 queue     zset: owner id by ticket time; equal times in the order of their bytes
--       4 shared    hash: owner id -> mode|expiry in ms|fence, the votes in all modes but EX
--       5 buried    zset: owner id by expiry in ms
--       6 seal      string: exists as long as the resource is sealed
--       7 expiries  zset: owner id of a waiter by expiry in ms
--       8 requests  hash: owner id of a waiter -> mode|ttl in ms|waiterTtl in ms|tokens
-- ARGV  1 owner id  2 mode  3 ttl in ms  4 '1' to queue  5 waiterTtl in ms  6 tokens  7 floor  8 '1' to heal
--       9 fence retention in ms  10 base: what no fence of this run of the server may be below, more than 0
-- Answers, numbers as integers except fences and ticket times, which are texts, and '' for what there is not:
--       GRANTED, fence, owner id of the earliest waiter held up, latest ticket time ('' for the asker's own)
--       QUEUED, remaining in ms, fence, place, blocker: kind, owner, remaining in ms, latest ticket time
--       DENIED, remaining in ms, reason, blocker: kind, owner, remaining in ms, latest ticket time
--       SEALED, remaining in ms

local holder = redis.pcall('GET', KEYS[1])
if ARGV[2] == 'EX' and redis.call('EXISTS', KEYS[3], KEYS[4], KEYS[5], KEYS[6]) == 0 then
  if not holder and ARGV[7] == '0' then
    local fence = redis.call('INCRBY', KEYS[2], ARGV[6])
    local remembered = fence - ARGV[6]
    if remembered < tonumber(ARGV[10]) then -- less than was given, maybe: base it on time, so that it rises over what was forgotten
      local absent = remembered == 0 and tonumber(redis.call('TIME')[1]) * 1048576 or 0
      fence = math.max(absent, tonumber(ARGV[10])) + tonumber(ARGV[6])
      redis.call('SET', KEYS[2], string.format('%.0f', fence), 'PX', ARGV[9])
    else
      redis.call('PEXPIRE', KEYS[2], ARGV[9])
    end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
    return {'GRANTED', string.format('%.0f', fence), '', ''}
  end
  if holder == ARGV[1] then
    local fence = redis.call('GET', KEYS[2])
    if fence and tonumber(fence) >= tonumber(ARGV[7]) then -- nothing here needs memory, so it works at maxmemory too
      local remaining = redis.call('PTTL', KEYS[1])
      if remaining >= 0 and remaining < tonumber(ARGV[3]) then
        redis.call('PEXPIRE', KEYS[1], ARGV[3])
      end
      redis.call('PEXPIRE', KEYS[2], ARGV[9])
      return {'GRANTED', fence, '', ''}
    end
  end
end

