-- ACQUIRE of PROTOCOL.md, section 3, where the lock is free and uncontended, as most requests find it. The script receives four of the lock's
-- keys: the number of keys and arguments dominates the cost of a script at the server.
--
-- KEYS  1 lock  2 fence  3 others  4 ttl, as in acquire.lua.
-- ARGV  1 to 4 as in acquire.lua, and only if it is not '1':  5 tokens.
-- Answers: as acquire.lua if it grants, otherwise 0: the script did nothing, and the client re-sends the request to acquire.lua.

local kept = redis.call('MGET', KEYS[2], KEYS[4], KEYS[3])
if kept[3] then
  return 0
end
local is_free, tokens_granted, is_alone = true, ARGV[5] or '1', false
local ttl_key = KEYS[4]
