-- RELEASE of PROTOCOL.md, section 3. Removes the owner's vote and its position in the queue, and no other owner's.
-- This file is for a vote without waiters or sharers; it needs no memory, so it works at maxmemory. All other cases continue in
-- record.lua and release-contended.lua, which are appended.
--
-- KEYS  as in acquire.lua.
-- ARGV  1 owner id  2 fence retention in ms  3 base, as in acquire.lua.
--       and only if one of them is not '0', or a value follows:  4 bury in ms  5 seal in ms.
--       and only with a seal, or if a value follows:  6 how long ago the work was done in ms  7 owner id of the client that did it.
--       and only to write a value back:  8 its token  9 its number  10 its text.
-- Answers: 1 if the owner had a vote, else 0.

local holder = redis.pcall('GET', KEYS[1])
local had_vote = holder == ARGV[1]
if had_vote then
  redis.call('DEL', KEYS[1])
  holder = false
end
if type(holder) ~= 'table' and not ARGV[8] and (ARGV[4] or '0') == '0' and (ARGV[5] or '0') == '0'
  and redis.call('EXISTS', KEYS[3], KEYS[4]) == 0 then -- a table is an error, which record.lua handles
  return had_vote and 1 or 0
end

