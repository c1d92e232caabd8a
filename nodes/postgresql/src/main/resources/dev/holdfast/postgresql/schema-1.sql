-- The schema of a Holdfast node, version 1. The node runs this file on first use if its role may create a schema; Flyway, Liquibase or an operator
-- can run it instead. Use a copy with another name in place of "holdfast." for another schema.
--
-- The functions are LockTable (PROTOCOL section 3), operation by operation. A request locks the row of its resource first, so requests for one
-- resource are carried out one after the other. Times are milliseconds of clock_timestamp(), read after that row is locked.

CREATE SCHEMA IF NOT EXISTS holdfast;

-- One row: the version of the schema, and the run of the server that wrote it last. lost_at is when a client first saw the present run, if that
-- run may lack commits of the run before; 0 if nothing was ever lost.
CREATE TABLE holdfast.node (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version int NOT NULL,
  run text NOT NULL DEFAULT '',
  lost_at bigint NOT NULL DEFAULT 0
);

-- Rows are updated in place: no index has a column that changes, and a page keeps room for the next version of its rows.
CREATE TABLE holdfast.resource (
  name text COLLATE "C" PRIMARY KEY,
  fence bigint NOT NULL DEFAULT 0,
  fence_expiry bigint NOT NULL DEFAULT 0,
  value_token bigint,
  value_number bigint,
  value_text text,
  longest_ttl bigint NOT NULL DEFAULT 0,
  longest_ttl_expiry bigint NOT NULL DEFAULT 0,
  seal_expiry bigint NOT NULL DEFAULT 0,
  sealed_since bigint NOT NULL DEFAULT 0,
  sealed_by text NOT NULL DEFAULT ''
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

-- Modes are 0 to 5 for NL, CR, CW, PR, PW and EX. first_fence to fence are the tokens of the vote.
-- A released vote stays while a transaction asserts it.
CREATE TABLE holdfast.vote (
  resource text COLLATE "C",
  owner text COLLATE "C",
  mode int NOT NULL,
  first_fence bigint NOT NULL,
  fence bigint NOT NULL,
  expiry bigint NOT NULL,
  attempt bigint NOT NULL,
  released boolean NOT NULL DEFAULT false,
  PRIMARY KEY (resource, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE holdfast.waiter (
  resource text COLLATE "C",
  attempt bigint,
  owner text COLLATE "C",
  mode int NOT NULL,
  ttl bigint NOT NULL,
  waiter_ttl bigint NOT NULL,
  tokens int NOT NULL,
  expiry bigint NOT NULL,
  PRIMARY KEY (resource, attempt, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE holdfast.tombstone (
  resource text COLLATE "C",
  owner text COLLATE "C",
  expiry bigint NOT NULL,
  PRIMARY KEY (resource, owner)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

CREATE FUNCTION holdfast.clock_millis() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- The modes that conflict with a mode, as bits.
CREATE FUNCTION holdfast.conflicts(p_mode int) RETURNS int LANGUAGE sql IMMUTABLE AS
$$ SELECT ('{0,32,56,52,60,62}'::int[])[p_mode + 1] $$;

-- The time until a vote or a waiter expires. A vote whose time has passed exists only while a transaction asserts it, or until the next request
-- drops it. No notification follows the end of that transaction, so clients re-send their requests soon.
CREATE FUNCTION holdfast.remaining(p_expiry bigint, p_now bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN p_expiry <= p_now THEN 100 ELSE p_expiry - p_now END $$;

-- FenceFromTime.ofRun
CREATE FUNCTION holdfast.fence_of_run(p_from bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT ((p_from + 1) / 1000 << 20) + ((p_from + 1) % 1000 << 10) $$;

-- The remembered fence, or the base of an absent one.
CREATE FUNCTION holdfast.remembered(p_fence bigint, p_now bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN p_fence <> 0 THEN p_fence ELSE p_now / 1000 << 20 END $$;

-- The fence that the next token must exceed.
CREATE FUNCTION holdfast.next_fence(p_fence bigint, p_now bigint, p_base bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT greatest(holdfast.remembered(p_fence, p_now), least(p_base, holdfast.fence_of_run(p_now))) $$;

-- Locks the row of a resource, and creates it if there is none.
CREATE FUNCTION holdfast.lock_resource(p_resource text, OUT r holdfast.resource) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT * INTO r FROM holdfast.resource x WHERE x.name = p_resource FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO holdfast.resource (name) VALUES (p_resource) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;

-- Drops what has expired. A vote that a transaction asserts is locked: it stays, and counts as held.
CREATE FUNCTION holdfast.drop_expired(INOUT r holdfast.resource, p_now bigint) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM holdfast.vote v
    USING (SELECT x.owner FROM holdfast.vote x
             WHERE x.resource = r.name AND x.expiry <= p_now FOR UPDATE SKIP LOCKED) gone
    WHERE v.resource = r.name AND v.owner = gone.owner;
  DELETE FROM holdfast.waiter w WHERE w.resource = r.name AND w.expiry <= p_now;
  DELETE FROM holdfast.tombstone t WHERE t.resource = r.name AND t.expiry <= p_now;
  IF r.fence_expiry <= p_now THEN
    r.fence := 0;
    r.value_token := NULL;
    r.value_number := NULL;
    r.value_text := NULL;
  END IF;
  IF r.longest_ttl_expiry <= p_now THEN
    r.longest_ttl := 0;
  END IF;
  IF r.seal_expiry <= p_now THEN
    r.seal_expiry := 0;
  END IF;
END $$;

CREATE FUNCTION holdfast.save(r holdfast.resource) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE holdfast.resource x
    SET fence = r.fence, fence_expiry = r.fence_expiry, value_token = r.value_token, value_number = r.value_number,
        value_text = r.value_text, longest_ttl = r.longest_ttl, longest_ttl_expiry = r.longest_ttl_expiry,
        seal_expiry = r.seal_expiry, sealed_since = r.sealed_since, sealed_by = r.sealed_by
    WHERE x.name = r.name
$$;

-- Keeps a value if it was written after the one that is there.
CREATE FUNCTION holdfast.write_value(INOUT r holdfast.resource, p_token bigint, p_number bigint, p_text text) LANGUAGE plpgsql AS $$
BEGIN
  IF r.value_token IS NULL OR p_token > r.value_token OR p_token = r.value_token AND p_number > r.value_number THEN
    r.value_token := p_token;
    r.value_number := p_number;
    r.value_text := p_text;
  END IF;
END $$;

-- Remembers the longest ttl for the retention. The same ttl renews the retention once half of it has passed.
CREATE FUNCTION holdfast.remember_ttl(INOUT r holdfast.resource, p_ttl bigint, p_now bigint, p_retention bigint) LANGUAGE plpgsql AS $$
BEGIN
  IF r.longest_ttl < p_ttl OR r.longest_ttl = p_ttl AND r.longest_ttl_expiry - p_now < p_retention / 2 THEN
    r.longest_ttl := p_ttl;
    r.longest_ttl_expiry := p_now + p_retention;
  END IF;
END $$;

CREATE FUNCTION holdfast.is_blocked(p_resource text, p_owner text, p_mode int) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM holdfast.vote v
    WHERE v.resource = p_resource AND (v.owner <> p_owner OR v.released) AND holdfast.conflicts(p_mode) >> v.mode & 1 = 1)
$$;

-- The earliest of the first hundred waiters that a vote of this mode blocks.
CREATE FUNCTION holdfast.first_waiter_behind(p_resource text, p_mode int, OUT attempt bigint, OUT client text) LANGUAGE sql STABLE AS $$
  SELECT w.attempt, split_part(w.owner, '/', 1)
    FROM (SELECT * FROM holdfast.waiter x WHERE x.resource = p_resource ORDER BY x.attempt, x.owner LIMIT 100) w
    WHERE holdfast.conflicts(p_mode) >> w.mode & 1 = 1
    ORDER BY w.attempt, w.owner LIMIT 1
$$;

-- The latest ticket time of all holders and waiters. Tickets of votes within eight microseconds count as equal, as in LockTable.
CREATE FUNCTION holdfast.latest_ticket(p_resource text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT greatest(
    coalesce((SELECT max(w.attempt) FROM holdfast.waiter w WHERE w.resource = p_resource), 0),
    coalesce((SELECT max(last.attempt) FROM (
      SELECT DISTINCT ON (v.mode) v.attempt FROM holdfast.vote v
        WHERE v.resource = p_resource ORDER BY v.mode, v.attempt / 8 DESC, v.owner DESC) last), 0))
$$;

-- Creates a vote and removes its owner from the queue. The caller saves r.
CREATE FUNCTION holdfast.grant_vote(
  INOUT r holdfast.resource, p_owner text, p_attempt bigint, p_mode int, p_tokens int, p_all_tokens int, p_ttl bigint,
  p_now bigint, p_base bigint, p_retention bigint, OUT granted_fence bigint) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM holdfast.waiter w WHERE w.resource = r.name AND w.attempt = p_attempt AND w.owner = p_owner;
  granted_fence := 0;
  IF p_mode > 0 THEN
    granted_fence := holdfast.next_fence(r.fence, p_now, p_base) + p_tokens;
    r.fence := granted_fence;
    r.fence_expiry := p_now + p_retention;
  END IF;
  INSERT INTO holdfast.vote AS v (resource, owner, mode, first_fence, fence, expiry, attempt)
    VALUES (r.name, p_owner, p_mode, granted_fence - p_all_tokens + 1, granted_fence, p_now + p_ttl, p_attempt)
    ON CONFLICT (resource, owner) DO UPDATE
      SET mode = excluded.mode, first_fence = excluded.first_fence, fence = excluded.fence, expiry = excluded.expiry, released = false;
END $$;

-- A push: its kind, fence, owner, ticket of the waiter, value, and resource.
CREATE FUNCTION holdfast.push(
  p_kind text, r holdfast.resource, p_owner text, p_fence bigint, p_attempt bigint, p_client text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws('|', p_kind, p_fence, p_owner, coalesce(p_attempt, 0), coalesce(p_client, ''), coalesce(r.value_token, 0),
    coalesce(r.value_number, 0), length(r.name), r.name || coalesce(r.value_text, ''))
$$;

-- Grants votes to waiters in the order of their tickets, and stops at the first waiter that still conflicts. Saves r.
CREATE FUNCTION holdfast.promote(
  r holdfast.resource, p_now bigint, p_base bigint, p_retention bigint, p_pushes text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  w holdfast.waiter;
  next record;
  given record;
BEGIN
  IF r.seal_expiry = 0 THEN
    LOOP
      SELECT * INTO w FROM holdfast.waiter x WHERE x.resource = r.name ORDER BY x.attempt, x.owner LIMIT 1;
      EXIT WHEN NOT FOUND;
      EXIT WHEN holdfast.is_blocked(r.name, w.owner, w.mode);
      SELECT * INTO given FROM holdfast.grant_vote(
        r, w.owner, w.attempt, w.mode, w.tokens, w.tokens, least(w.ttl, w.waiter_ttl), p_now, p_base, p_retention);
      r := given.r;
      SELECT * INTO next FROM holdfast.first_waiter_behind(r.name, w.mode);
      IF next.attempt IS NOT NULL THEN
        p_pushes := p_pushes || holdfast.push('C', r, w.owner, given.granted_fence, next.attempt, next.client);
      END IF;
      p_pushes := p_pushes || holdfast.push('G', r, w.owner, given.granted_fence, NULL, NULL);
    END LOOP;
  END IF;
  PERFORM holdfast.save(r);
  RETURN p_pushes;
END $$;

-- GRANTED: fence, ticket of the earliest waiter behind the vote, latest ticket, value, longest ttl.
CREATE FUNCTION holdfast.granted(
  r holdfast.resource, p_mode int, p_fence bigint, p_with_value boolean, p_ttl bigint) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY['G', p_fence::text, w.attempt::text, w.client, holdfast.latest_ticket(r.name)::text,
    CASE WHEN p_with_value THEN r.value_token::text END, CASE WHEN p_with_value THEN r.value_number::text END,
    CASE WHEN p_with_value THEN r.value_text END, CASE WHEN r.longest_ttl > p_ttl THEN r.longest_ttl::text ELSE '0' END]
    FROM holdfast.first_waiter_behind(r.name, p_mode) w
$$;

-- The end of QUEUED and DENIED: remaining time, blocker and its remaining time, latest ticket, longest ttl.
CREATE FUNCTION holdfast.refusal(
  r holdfast.resource, p_owner text, p_mode int, p_ttl bigint, p_now bigint) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  soonest bigint;
  blocker record;
BEGIN
  SELECT min(v.expiry) INTO soonest FROM holdfast.vote v
    WHERE v.resource = r.name AND (v.owner <> p_owner OR v.released) AND v.mode > 0;
  SELECT v.owner, v.expiry INTO blocker FROM holdfast.vote v
    WHERE v.resource = r.name AND (v.owner <> p_owner OR v.released) AND holdfast.conflicts(p_mode) >> v.mode & 1 = 1
    ORDER BY v.attempt / 8, v.owner LIMIT 1;
  RETURN ARRAY[coalesce(holdfast.remaining(soonest, p_now), 0)::text, blocker.owner, holdfast.remaining(blocker.expiry, p_now)::text,
    holdfast.latest_ticket(r.name)::text, CASE WHEN r.longest_ttl > p_ttl THEN r.longest_ttl::text ELSE '0' END];
END $$;

-- Carries out ACQUIRE. p_now is for tests; null is the present time.
CREATE FUNCTION holdfast.acquire(
  p_now bigint, p_base bigint, p_retention bigint, p_resource text, p_owner text, p_mode int, p_ttl bigint, p_queue boolean,
  p_waiter_ttl bigint, p_tokens int, p_floor bigint, p_heal boolean, p_value_token bigint, p_value_number bigint, p_value_text text,
  OUT answer text[], OUT pushes text[]) LANGUAGE plpgsql AS $$
DECLARE
  r holdfast.resource;
  v holdfast.vote;
  w holdfast.waiter;
  given record;
  blocked boolean;
  client text := split_part(p_owner, '/', 1);
  ticket bigint := split_part(p_owner, '/', 2)::bigint;
  place bigint;
  queued_fence bigint;
BEGIN
  pushes := '{}';
  r := holdfast.lock_resource(p_resource);
  p_now := coalesce(p_now, holdfast.clock_millis());
  r := holdfast.drop_expired(r, p_now);
  IF r.seal_expiry > 0 THEN
    answer := ARRAY['S', r.sealed_by, greatest(p_now - r.sealed_since, 0)::text, (r.seal_expiry - p_now)::text];
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = p_resource AND t.owner = p_owner) THEN
    answer := ARRAY['D', 'BURIED', '0', NULL, NULL, '0', '0'];
    RETURN;
  END IF;
  SELECT * INTO v FROM holdfast.vote x WHERE x.resource = p_resource AND x.owner = p_owner AND NOT x.released;
  IF FOUND THEN -- 1: extend, raise
    IF v.mode > 0 AND p_floor > v.fence THEN
      v.fence := p_floor;
      r.fence := greatest(holdfast.remembered(r.fence, p_now), p_floor);
    END IF;
    UPDATE holdfast.vote x SET expiry = greatest(x.expiry, p_now + p_ttl), fence = v.fence
      WHERE x.resource = p_resource AND x.owner = p_owner;
    r.fence_expiry := p_now + p_retention;
    IF p_mode > 0 THEN
      r := holdfast.remember_ttl(r, p_ttl, p_now, p_retention);
    END IF;
    IF p_value_token IS NOT NULL AND v.mode IN (4, 5) THEN
      r := holdfast.write_value(r, p_value_token, p_value_number, p_value_text);
    END IF;
    PERFORM holdfast.save(r);
    answer := holdfast.granted(r, v.mode, v.fence, p_floor = 0, p_ttl);
    RETURN;
  END IF;
  blocked := holdfast.is_blocked(p_resource, p_owner, p_mode);
  IF p_floor > 0 THEN -- 2: heal, or deny
    IF p_heal AND NOT blocked AND r.fence <= p_floor
        AND NOT EXISTS (SELECT FROM holdfast.waiter x WHERE x.resource = p_resource AND x.owner <> p_owner) THEN
      IF p_mode > 0 THEN
        r.fence := greatest(holdfast.remembered(r.fence, p_now), p_floor);
      END IF;
      SELECT * INTO given FROM holdfast.grant_vote(r, p_owner, ticket, p_mode, 0, p_tokens, p_ttl, p_now, p_base, p_retention);
      r := given.r;
      IF p_mode > 0 THEN
        r := holdfast.remember_ttl(r, p_ttl, p_now, p_retention);
      END IF;
      IF p_value_token IS NOT NULL AND p_mode IN (4, 5) THEN
        r := holdfast.write_value(r, p_value_token, p_value_number, p_value_text);
      END IF;
      PERFORM holdfast.save(r);
      answer := holdfast.granted(r, p_mode, given.granted_fence, false, p_ttl);
    ELSE
      answer := ARRAY['D', 'NO_VOTE'] || holdfast.refusal(r, p_owner, p_mode, p_ttl, p_now);
    END IF;
    RETURN;
  END IF;
  SELECT * INTO w FROM holdfast.waiter x WHERE x.resource = p_resource ORDER BY x.attempt, x.owner LIMIT 1;
  IF NOT blocked AND (p_mode = 0 OR w.owner IS NULL
      OR (w.attempt, split_part(w.owner, '/', 1) || '/' COLLATE "C") >= (ticket, client || '/' COLLATE "C")) THEN -- 3
    SELECT * INTO given FROM holdfast.grant_vote(r, p_owner, ticket, p_mode, p_tokens, p_tokens, p_ttl, p_now, p_base, p_retention);
    r := given.r;
    IF p_mode > 0 THEN
      r := holdfast.remember_ttl(r, p_ttl, p_now, p_retention);
    END IF;
    PERFORM holdfast.save(r);
    answer := holdfast.granted(r, p_mode, given.granted_fence, true, p_ttl);
  ELSIF p_queue THEN -- 4
    -- before the request itself is in the queue
    SELECT array_agg(holdfast.push('C', r, told.owner, told.fence, ticket, client) ORDER BY told.mode, told.attempt / 8 DESC, told.owner DESC)
      INTO pushes
      FROM (SELECT x.*, row_number() OVER (PARTITION BY x.mode ORDER BY x.attempt / 8 DESC, x.owner DESC) AS place
              FROM holdfast.vote x
              WHERE x.resource = p_resource AND holdfast.conflicts(p_mode) >> x.mode & 1 = 1) told
      WHERE told.place <= 100 AND told.owner <> p_owner AND NOT told.released
        AND ((ticket, client || '/' COLLATE "C") < (told.attempt, split_part(told.owner, '/', 1) || '/' COLLATE "C")
          OR (SELECT f.attempt FROM holdfast.first_waiter_behind(p_resource, told.mode) f) IS NULL);
    pushes := coalesce(pushes, '{}');
    INSERT INTO holdfast.waiter AS x (resource, attempt, owner, mode, ttl, waiter_ttl, tokens, expiry)
      VALUES (p_resource, ticket, p_owner, p_mode, p_ttl, p_waiter_ttl, p_tokens, p_now + p_waiter_ttl)
      ON CONFLICT (resource, attempt, owner) DO UPDATE
        SET mode = excluded.mode, ttl = excluded.ttl, waiter_ttl = excluded.waiter_ttl, tokens = excluded.tokens, expiry = excluded.expiry;
    queued_fence := holdfast.next_fence(r.fence, p_now, p_base);
    SELECT count(*) INTO place FROM holdfast.waiter x
      WHERE x.resource = p_resource AND (x.attempt, x.owner) <= (ticket, p_owner COLLATE "C");
    pushes := holdfast.promote(r, p_now, p_base, p_retention, pushes);
    answer := ARRAY['Q', queued_fence::text, place::text] || holdfast.refusal(r, p_owner, p_mode, p_ttl, p_now);
  ELSE -- 5
    answer := ARRAY['D', CASE WHEN blocked THEN 'HELD' ELSE 'WAITERS' END] || holdfast.refusal(r, p_owner, p_mode, p_ttl, p_now);
  END IF;
END $$;

-- Carries out RELEASE. p_seal_ago and p_seal_remaining are null without a seal.
CREATE FUNCTION holdfast.release(
  p_now bigint, p_base bigint, p_retention bigint, p_resource text, p_owner text, p_bury bigint, p_sealed_by text, p_seal_ago bigint,
  p_seal_remaining bigint, p_value_token bigint, p_value_number bigint, p_value_text text, OUT answer text[], OUT pushes text[])
  LANGUAGE plpgsql AS $$
DECLARE
  r holdfast.resource;
  v holdfast.vote;
BEGIN
  r := holdfast.lock_resource(p_resource);
  p_now := coalesce(p_now, holdfast.clock_millis());
  r := holdfast.drop_expired(r, p_now);
  answer := ARRAY['A'];
  SELECT * INTO v FROM holdfast.vote x WHERE x.resource = p_resource AND x.owner = p_owner AND NOT x.released;
  IF FOUND THEN
    answer := ARRAY['R'];
    IF p_value_token IS NOT NULL AND v.mode IN (4, 5) THEN
      r.fence_expiry := p_now + p_retention;
      r := holdfast.write_value(r, p_value_token, p_value_number, p_value_text);
    END IF;
    DELETE FROM holdfast.vote y
      USING (SELECT x.resource, x.owner FROM holdfast.vote x
               WHERE x.resource = p_resource AND x.owner = p_owner FOR UPDATE SKIP LOCKED) gone
      WHERE y.resource = gone.resource AND y.owner = gone.owner;
    IF NOT FOUND THEN -- a transaction asserts the vote: it stays until that transaction ends
      UPDATE holdfast.vote x SET expiry = 0, released = true WHERE x.resource = p_resource AND x.owner = p_owner;
    END IF;
  END IF;
  DELETE FROM holdfast.waiter x
    WHERE x.resource = p_resource AND x.attempt = split_part(p_owner, '/', 2)::bigint AND x.owner = p_owner;
  IF p_bury > 0 THEN
    INSERT INTO holdfast.tombstone AS t (resource, owner, expiry) VALUES (p_resource, p_owner, p_now + p_bury)
      ON CONFLICT (resource, owner) DO UPDATE SET expiry = excluded.expiry;
  END IF;
  IF p_seal_remaining IS NOT NULL THEN
    IF r.seal_expiry = 0 THEN
      r.sealed_by := p_sealed_by;
      r.sealed_since := p_now - p_seal_ago;
    END IF;
    r.seal_expiry := greatest(r.seal_expiry, p_now + p_seal_remaining);
  END IF;
  pushes := holdfast.promote(r, p_now, p_base, p_retention, '{}');
END $$;

-- Carries out INSPECT, in one statement so that all rows show the same moment. Kinds: R the resource, S the seal, V a vote, W a waiter.
CREATE FUNCTION holdfast.inspect(p_now bigint, p_resource text)
  RETURNS TABLE (kind text, owner text, mode int, fence bigint, remaining bigint, value_token bigint, value_number bigint, value_text text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH t AS (SELECT coalesce(p_now, holdfast.clock_millis()) AS now),
  shown AS (
    SELECT 1 AS part, 0 AS attempt, 'R' AS kind, NULL AS owner, NULL::int AS mode, x.fence, 0::bigint AS remaining, x.value_token, x.value_number,
        x.value_text
      FROM t, holdfast.resource x WHERE x.name = p_resource AND x.fence_expiry > t.now
    UNION ALL
    SELECT 2, 0, 'S', x.sealed_by, NULL, greatest(t.now - x.sealed_since, 0), x.seal_expiry - t.now, NULL, NULL, NULL
      FROM t, holdfast.resource x WHERE x.name = p_resource AND x.seal_expiry > t.now
    UNION ALL
    SELECT 3, 0, 'V', v.owner, v.mode, v.fence, holdfast.remaining(v.expiry, t.now), NULL, NULL, NULL
      FROM t, holdfast.vote v WHERE v.resource = p_resource AND v.expiry > t.now
    UNION ALL
    SELECT 4, w.attempt, 'W', w.owner, w.mode, NULL, w.expiry - t.now, NULL, NULL, NULL
      FROM t, holdfast.waiter w WHERE w.resource = p_resource AND w.expiry > t.now)
  SELECT s.kind, s.owner, s.mode, s.fence, s.remaining, s.value_token, s.value_number, s.value_text
    FROM shown s ORDER BY s.part, s.attempt, s.owner COLLATE "C"
$$;

-- Carries out LIST: the resources with a holder, a waiter or a seal, by name.
CREATE FUNCTION holdfast.list(p_now bigint, p_prefix text, p_limit int) RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH t AS (SELECT coalesce(p_now, holdfast.clock_millis()) AS now)
  SELECT x.name FROM t, holdfast.resource x
    WHERE x.name >= p_prefix COLLATE "C" AND starts_with(x.name, p_prefix)
      AND (x.seal_expiry > t.now
        OR EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = x.name AND v.expiry > t.now)
        OR EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = x.name AND w.expiry > t.now))
    ORDER BY x.name LIMIT p_limit
$$;

-- Names this run of this server: a different text after a promotion, and after every restart if a restart may lose commits.
CREATE FUNCTION holdfast.run() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_catalog.pg_control_system()),
    CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'standby'
      ELSE left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8) END,
    CASE WHEN pg_catalog.current_setting('synchronous_commit') = 'off' OR pg_catalog.current_setting('fsync') = 'off'
      OR pg_catalog.current_setting('full_page_writes') = 'off'
      THEN (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000)::bigint END)
$$;

-- Called once for each connection: records the present run, and returns the time since which it may lack commits (0: none) and the present time.
CREATE FUNCTION holdfast.connect(OUT run text, OUT lost_at bigint, OUT now bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  n holdfast.node;
BEGIN
  run := holdfast.run();
  SELECT * INTO n FROM holdfast.node;
  IF n.run <> run THEN
    SELECT * INTO n FROM holdfast.node FOR UPDATE; -- the first client decides
    IF n.run <> run THEN
      n.lost_at := CASE WHEN n.run = '' THEN 0 ELSE holdfast.clock_millis() END;
      UPDATE holdfast.node x SET run = connect.run, lost_at = n.lost_at;
    END IF;
  END IF;
  lost_at := n.lost_at;
  now := holdfast.clock_millis();
END $$;

-- Carries out requests in their order, and notifies the clients of pushes: one transaction for all of them. The first row is the time in
-- microseconds. Kind A is ACQUIRE, with p_a to p_d as mode, waiter ttl, tokens and floor, and p_flag_1 and p_flag_2 as queue and heal; R is RELEASE,
-- with p_a to p_c as tombstone, age of the seal and its remaining time.
CREATE FUNCTION holdfast.carry_out(
  p_run text, p_retention bigint, p_kinds text[], p_bases bigint[], p_resources text[], p_owners text[], p_ttls bigint[],
  p_a bigint[], p_b bigint[], p_c bigint[], p_d bigint[], p_flag_1 boolean[], p_flag_2 boolean[], p_sealed_by text[],
  p_value_tokens bigint[], p_value_numbers bigint[], p_value_texts text[]) RETURNS SETOF text[]
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  locked text;
  done record;
  pushed text;
BEGIN
  IF holdfast.run() <> p_run THEN
    RAISE EXCEPTION 'another server or run: %', holdfast.run() USING ERRCODE = 'HF001';
  END IF;
  IF cardinality(p_kinds) > 1 THEN -- two transactions that lock the same resources do it in the same order
    FOR locked IN SELECT DISTINCT x COLLATE "C" FROM unnest(p_resources) x ORDER BY 1 LOOP
      PERFORM holdfast.lock_resource(locked);
    END LOOP;
  END IF;
  RETURN NEXT ARRAY[floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text];
  FOR i IN 1 .. cardinality(p_kinds) LOOP
    IF p_kinds[i] = 'A' THEN
      done := holdfast.acquire(NULL, p_bases[i], p_retention, p_resources[i], p_owners[i], p_a[i]::int, p_ttls[i], p_flag_1[i], p_b[i],
        p_c[i]::int, p_d[i], p_flag_2[i], p_value_tokens[i], p_value_numbers[i], p_value_texts[i]);
    ELSE
      done := holdfast.release(NULL, p_bases[i], p_retention, p_resources[i], p_owners[i], p_a[i], p_sealed_by[i], p_b[i], p_c[i],
        p_value_tokens[i], p_value_numbers[i], p_value_texts[i]);
    END IF;
    FOREACH pushed IN ARRAY done.pushes LOOP
      PERFORM pg_notify(holdfast.channel(split_part(split_part(pushed, '|', 3), '/', 1)), pushed);
    END LOOP;
    RETURN NEXT done.answer;
  END LOOP;
END $$;

-- The channel of a client's pushes.
CREATE FUNCTION holdfast.channel(p_client text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT 'holdfast_' || md5('holdfast.' || p_client) $$;

-- Finds the votes that waiters have, for a client without notifications.
CREATE FUNCTION holdfast.votes_of(p_resources text[], p_owners text[])
  RETURNS TABLE (resource text, owner text, fence bigint, value_token bigint, value_number bigint, value_text text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT v.resource, v.owner, v.fence, r.value_token, r.value_number, r.value_text
    FROM unnest(p_resources, p_owners) a (resource, owner)
    JOIN holdfast.vote v ON v.resource = a.resource AND v.owner = a.owner
    JOIN holdfast.resource r ON r.name = v.resource
    WHERE NOT v.released AND v.expiry > holdfast.clock_millis()
$$;

-- Drops the expired state of resources that no client uses any more, at most p_limit of each kind; never waits for a lock.
CREATE FUNCTION holdfast.sweep(p_limit int) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now bigint := holdfast.clock_millis();
  swept bigint := 0;
  unused text;
BEGIN
  FOR unused IN
    SELECT x.name FROM holdfast.resource x
      WHERE x.fence_expiry <= now AND x.longest_ttl_expiry <= now AND x.seal_expiry <= now
      LIMIT p_limit FOR UPDATE SKIP LOCKED LOOP
    DELETE FROM holdfast.vote v
      USING (SELECT y.owner FROM holdfast.vote y WHERE y.resource = unused AND y.expiry <= now FOR UPDATE SKIP LOCKED) gone
      WHERE v.resource = unused AND v.owner = gone.owner;
    DELETE FROM holdfast.waiter w WHERE w.resource = unused AND w.expiry <= now;
    DELETE FROM holdfast.tombstone t WHERE t.resource = unused AND t.expiry <= now;
    DELETE FROM holdfast.resource x WHERE x.name = unused
      AND NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = unused)
      AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = unused)
      AND NOT EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = unused);
    swept := swept + 1;
  END LOOP;
  RETURN swept;
END $$;

-- Asserts in the caller's own transaction that the lease with this fencing token holds the lock. Until that transaction ends, the node grants the
-- lock in a conflicting mode to no other client, whatever the clocks say. Fails with SQLSTATE HF002 if the token is no longer current.
CREATE FUNCTION holdfast.assert_held(p_name text, p_token bigint, p_key_prefix text DEFAULT 'lock:') RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM holdfast.vote v
    WHERE v.resource = p_key_prefix || p_name AND p_token BETWEEN v.first_fence AND v.fence AND v.mode > 0
      AND NOT v.released AND v.expiry > holdfast.clock_millis()
    FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'lock % is not held with the fencing token %', p_name, p_token
      USING ERRCODE = 'HF002', HINT = 'The lease has ended. Roll back; acquire the lock again before another attempt.';
  END IF;
END $$;

CREATE FUNCTION holdfast.schema_version() RETURNS int
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT n.version FROM holdfast.node n $$;

INSERT INTO holdfast.node (version) VALUES (1);

-- Only roles that an operator names may use the functions: GRANT USAGE ON SCHEMA and GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA holdfast FROM PUBLIC;
