-- RELEASE of PROTOCOL.md, section 3, where the vote is exclusive and nobody else has anything to do with the lock; with the keys that this takes.
--
-- KEYS  1 lock  2 others, as in acquire.lua
-- ARGV  1 owner id
-- Answers: 1 if the owner had the vote, or 0 if it is not so: nothing was done, and release.lua is to be asked

if redis.call('EXISTS', KEYS[2]) == 0 and redis.pcall('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
