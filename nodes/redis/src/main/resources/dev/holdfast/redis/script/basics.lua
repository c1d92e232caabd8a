-- Functions for contended locks. This file is appended to a script that has read the lock key into `holder`.

local time = redis.call('TIME') -- read once: the clock advances while a script runs
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function text(number)
  return string.format('%.0f', number)
end

-- Returns the client's base, but never one in the future: a client may release at a server that it quarantines for a while yet
-- (FenceFromTime.ofRun). A client with a single node passes 2^53 - 1, so that the base follows the clock to the microsecond.
local function base_now(given)
  if tonumber(given) == 9007199254740991 then
    return tonumber(time[1]) * 1048576 + math.floor(tonumber(time[2]) * 1.048576)
  end
  local next_millis = now + 1
  return math.min(tonumber(given), math.floor(next_millis / 1000) * 1048576 + next_millis % 1000 * 1024)
end

-- Marks the lock as contended for at least this long. Call it after writing a key that the scripts for uncontended locks do not check.
-- The mark lasts a second longer, since the clock advances while a script runs. It comes last, because it needs no memory: once a script has
-- made such a write, Redis no longer rejects its later writes at maxmemory.
local function others_for(millis)
  local needed, left = millis + 1000, redis.call('PTTL', KEYS[10])
  if left == -2 then
    redis.call('SET', KEYS[10], '', 'PX', text(needed))
  elseif left < needed then
    redis.call('PEXPIRE', KEYS[10], text(needed))
  end
end

-- Returns the attempt and the client of an owner id; nothing if the text is not one (OwnerId.java).
local function parse_owner(owner)
  if #owner > 1961 then
    return nil
  end
  local name, random, attempt, round, label = string.match(owner, '^([0-9A-Za-z@._:%-]+)~([0-9a-z]+)/(%d+)/(%d+)(.*)$')
  if not name or #name > 100 or #random < 8 or #random > 32 or #attempt > 16 or #round > 9
    or tonumber(attempt) > 9007199254740991 or (label ~= '' and not string.match(label, '^/[0-9A-Za-z.*_+%%-]+$')) then
    return nil
  end
  return tonumber(attempt), name .. '~' .. random
end

