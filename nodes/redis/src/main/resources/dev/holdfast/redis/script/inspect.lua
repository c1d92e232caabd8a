-- INSPECT of PROTOCOL.md, section 3, for people: reads a record, changes nothing. record.lua and inspect-record.lua are appended.
--
-- KEYS  as in acquire.lua
-- Answers: the fence ('0' if none is remembered),
--       holders {kind, owner, mode, fence, remaining in ms, ...}, waiters {owner, mode, remaining in ms, ...}; the first waiter first,
--       seal {remaining in ms, age in ms, owner id} or {}, value {token, number, text} or {}

local holder = redis.pcall('GET', KEYS[1])

