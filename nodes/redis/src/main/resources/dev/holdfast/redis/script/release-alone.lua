-- RELEASE of PROTOCOL.md, section 3, where the vote is exclusive and the lock is uncontended; with the keys that this case needs.
--
-- KEYS  1 lock  2 others, as in acquire.lua.
-- ARGV  1 owner id.
-- Answers: 1 if the owner had the vote, otherwise 0: the script did nothing, and the client re-sends the request to release.lua.

if redis.pcall('GET', KEYS[1]) == ARGV[1] and redis.call('EXISTS', KEYS[2]) == 0 then
  return redis.call('DEL', KEYS[1])
end
return 0
