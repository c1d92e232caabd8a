-- RELEASE of PROTOCOL.md, section 3. Takes away the owner's vote and its place in the queue, and nobody else's.
-- This file is the way that most requests take; it needs no memory, so it works at maxmemory. What it does not settle goes on in
-- record.lua and release-contended.lua, which are appended.
--
-- KEYS  as in acquire.lua
-- ARGV  1 owner id  2 bury in ms, '0' not to  3 seal in ms, '0' not to  4 fence retention in ms  5 base, as in acquire.lua
-- Answers: RELEASED if the owner had a vote, else ABSENT

local holder = redis.pcall('GET', KEYS[1])
local had_vote = holder == ARGV[1]
if had_vote then
  redis.call('DEL', KEYS[1])
  holder = false
end
if ARGV[3] == '0' and ARGV[2] == '0' and redis.call('EXISTS', KEYS[3], KEYS[4]) == 0 then
  return {had_vote and 'RELEASED' or 'ABSENT'}
end

