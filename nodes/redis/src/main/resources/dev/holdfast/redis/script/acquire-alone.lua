-- ACQUIRE of PROTOCOL.md, section 3, where the lock is free and nobody else has anything to do with it, which is how most requests find it. Of all
-- keys of a lock it is given four: what a script costs the server is for the most part what it is given.
--
-- KEYS  1 lock  2 fence  3 others  4 ttl, as in acquire.lua
-- ARGV  1 to 4 as in acquire.lua, and only if it is not '1':  5 tokens
-- Answers: as acquire.lua where it grants, or 0 if it is not so: nothing was done, and acquire.lua is to be asked

if redis.call('EXISTS', KEYS[1], KEYS[3]) > 0 then
  return 0
end
local is_free, tokens_granted, is_alone = true, ARGV[5] or '1', false
local ttl_key = KEYS[4]

