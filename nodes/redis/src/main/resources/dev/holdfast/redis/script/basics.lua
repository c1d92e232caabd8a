-- Functions for contended locks. This file is appended to a script that has read the lock key into `holder`.

local time = redis.call('TIME') -- once: it moves on within a script
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function text(number)
  return string.format('%.0f', number)
end

-- The base that a client gave, but never one in the future: a client may release on a server that it has yet to quarantine for long
-- (FenceFromTime.ofRun). The client of an only node gives 2^53 - 1 to follow the clock, to the microsecond.
local function base_now(given)
  if tonumber(given) == 9007199254740991 then
    return tonumber(time[1]) * 1048576 + math.floor(tonumber(time[2]) * 1.048576)
  end
  local next_millis = now + 1
  return math.min(tonumber(given), math.floor(next_millis / 1000) * 1048576 + next_millis % 1000 * 1024)
end

-- To be called when something was written that scripts for a lock that is alone do not look at, with how long that lasts at least. The key of the
-- others lasts a second longer, since time moves on within a script. Not before: after a write that needs no memory Redis refuses none for want of it.
local function others_for(millis)
  local needed, left = millis + 1000, redis.call('PTTL', KEYS[10])
  if left == -2 then
    redis.call('SET', KEYS[10], '', 'PX', text(needed))
  elseif left < needed then
    redis.call('PEXPIRE', KEYS[10], text(needed))
  end
end

-- The attempt and the client of an owner id; nothing if the text is none (OwnerId.java).
local function parse_owner(owner)
  if #owner > 160 then
    return nil
  end
  local name, random, attempt, round = string.match(owner, '^([0-9A-Za-z@._:%-]+)~([0-9a-z]+)/(%d+)/(%d+)$')
  if not name or #name > 100 or #random < 8 or #random > 32 or #attempt > 16 or #round > 9
    or tonumber(attempt) > 9007199254740991 then
    return nil
  end
  return tonumber(attempt), name .. '~' .. random
end

