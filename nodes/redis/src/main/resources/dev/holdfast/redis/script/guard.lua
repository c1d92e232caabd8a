-- Writes a value that a fencing token guards (PROTOCOL §6). The script keeps the largest token beside the value, and rejects smaller ones.
--
-- KEYS  1 value   the guarded value, of any type.
--       2 newest  string: the largest token that has passed; never expires, or an older token would pass again.
-- ARGV  1 token   2 'SET', 'DEL' or 'CHECK'   3 the value, for SET.
-- Answers: '' if the token passed, else the larger one that passed before, as text.

local newest = redis.call('GET', KEYS[2])
if newest and tonumber(newest) > tonumber(ARGV[1]) then
  return newest
end
redis.call('SET', KEYS[2], ARGV[1])
if ARGV[2] == 'SET' then
  redis.call('SET', KEYS[1], ARGV[3])
elseif ARGV[2] == 'DEL' then
  redis.call('DEL', KEYS[1])
end
return ''
