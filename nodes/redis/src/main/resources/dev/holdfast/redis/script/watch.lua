-- A look at the server's clock and its epoch key (PROTOCOL.md, section 5).
--
-- The epoch key stores the time since which the server has kept its state: 'run id/nonce/since ms' by the server's clock, or 'run id/nonce'
-- if an operator has declared it clean. A client that finds the key missing before its expiry knows that the server lost state. It
-- writes the key again, so that all other clients learn of the loss.
--
-- KEYS  1 epoch key.
-- ARGV  1 the shortest time for which the key lasts, in ms.
--       2 the value to write, '' to write none.
--       3 write it only if the key has this value; '' only if there is none; '*' regardless of its value.
-- Answers: seconds and microseconds of the server's clock, the value found, the value now; '' for none.

local time = redis.call('TIME')
local found = redis.call('GET', KEYS[1]) or ''
local value = found
if ARGV[2] ~= '' and (ARGV[3] == '*' or ARGV[3] == found) then
  value = ARGV[2]
  redis.call('SET', KEYS[1], value, 'PX', ARGV[1])
elseif found ~= '' and redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1]) -- never earlier: other clients may rely on a later expiry
end
return {time[1], time[2], found, value}
