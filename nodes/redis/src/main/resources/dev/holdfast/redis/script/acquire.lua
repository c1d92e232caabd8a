-- ACQUIRE of PROTOCOL.md, section 3. This file is for an uncontended lock that is free or has the caller's own vote.
-- All other cases continue in record.lua and acquire-contended.lua, which are appended.
--
-- KEYS  1 lock      string: the owner id of the EX vote; 'holdfast:shared' while there are shared votes; anything else is foreign
--       2 fence     string: the largest fence granted
--       3 queue     zset: owner id by ticket time; equal times in the order of their bytes
--       4 shared    hash: owner id -> mode|expiry in ms|fence, the votes in all modes but EX; and the field 'indexed'
--       5 buried    zset: owner id by expiry in ms
--       6 seal      string: exists as long as the resource is sealed; the time of the seal in ms|owner id
--       7 expiries  zset: owner id of a waiter by expiry in ms
--       8 requests  hash: owner id of a waiter -> mode|ttl in ms|waiterTtl in ms|tokens
--       9 value     string: token|number|text, the last holder's value; valid as long as there is a fence
--      10 others    string: exists as long as one of 3, 4, 5, 6 and 9 does, and perhaps longer; acquire-alone.lua, release-alone.lua
--                   and extend.lua check it instead of these
--      11 votes     zset: the votes of 4 by ticket and by expiry; record.lua describes it
--      12 ttl       string: the longest ttl in ms of a vote or waiter with a token; clients with a shorter ttl learn of it
-- ARGV  1 owner id  2 ttl in ms  3 fence retention in ms  4 base: the lower bound of this run's fences, more than 0; a base in
--       the future counts as the base of the server's present time
--       5 waiterTtl in ms, '0' not to queue
--       and only if one of them is not as here:  6 mode: 'EX'  7 tokens: '1'  8 floor: '0'  9 '1' to heal: '0'
--       and only to write a value:  10 its token  11 its number  12 its text
-- Answers. Numbers are integers, but fences and ticket times in lists are texts. '' stands for a missing value:
--       an integer alone: granted with this fence; no client waits, and the latest ticket is the caller's own
--       GRANTED, fence, owner id of the earliest waiter that the vote blocks, latest ticket time, longest ttl; for a request without floor
--                also the value if there is one: token, number, text
--       QUEUED, remaining in ms, fence, place, blocker: kind, owner, remaining in ms, latest ticket time, longest ttl
--       DENIED, remaining in ms, reason, blocker: kind, owner, remaining in ms, latest ticket time, longest ttl
--                the longest ttl is that of key 12 in ms if it is longer than the request's, else 0
--       SEALED, remaining in ms, age in ms, owner id

local holder
local latest = {} -- the last waiter and its ticket time, if the lock has a queue and nothing else
local is_free, tokens_granted, is_alone = false, ARGV[7] or '1', false
local kept
local ttl_key = KEYS[12]
if not ARGV[10] and (not ARGV[6] or ARGV[6] == 'EX') then
  local others = redis.call('EXISTS', KEYS[1], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[9])
  if others > 0 then
    holder = redis.pcall('GET', KEYS[1])
    others = holder and others - 1 or others
    latest = others == 1 and redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES') or latest
  end
  is_alone = others == 0
  if others == 1 and not latest[1]
    and redis.call('EXISTS', KEYS[5]) == 1 and not redis.call('ZSCORE', KEYS[5], ARGV[1]) then
    others = 0 -- a tombstone matters only to its owner
  end
  if others == 0 then
    is_free = not holder and (ARGV[8] or '0') == '0'
    kept = is_free and redis.call('MGET', KEYS[2], ttl_key)
    if holder == ARGV[1] then
      local fence = tonumber(redis.call('GET', KEYS[2]) or -1)
      if fence >= tonumber(ARGV[8] or 0)
        and tonumber(redis.call('GET', ttl_key) or 0) == tonumber(ARGV[2]) then -- nothing here needs memory, so it also works at maxmemory
        local remaining = redis.call('PTTL', KEYS[1])
        if remaining >= 0 and remaining < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        redis.call('PEXPIRE', KEYS[2], ARGV[3])
        if is_alone then
          redis.call('DEL', KEYS[10])
        end
        return fence
      end
    end
  end
else
  holder = redis.pcall('GET', KEYS[1])
end

