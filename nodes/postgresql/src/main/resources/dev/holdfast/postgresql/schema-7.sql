-- The step from version 6 to version 7. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of all versions work with the result, so the step needs no downtime. Clients with a setting that lets a crash lose commits connect once more.

-- Has its row as long as the server has not crashed since the row was written: PostgreSQL empties an unlogged table after each crash, also one after which
-- the server's main process went on.
CREATE UNLOGGED TABLE holdfast.uncrashed (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
INSERT INTO holdfast.uncrashed DEFAULT VALUES;

-- As in version 3, but with the start in microseconds. It differs from what such a session has from an earlier version, which holdfast.node may not know.
CREATE OR REPLACE FUNCTION holdfast.server_run() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_catalog.pg_control_system()),
    CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'standby'
      ELSE left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8) END,
    CASE WHEN 'off' IN (pg_catalog.current_setting('synchronous_commit'), pg_catalog.current_setting('fsync'),
        pg_catalog.current_setting('full_page_writes'))
      THEN (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::bigint END)
$$;

-- As in version 5, but with another word for off, for the same reason.
CREATE OR REPLACE FUNCTION holdfast.settings() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT pg_catalog.replace(
    pg_catalog.concat_ws('/', (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::bigint, pg_catalog.pg_is_in_recovery(),
      pg_catalog.current_setting('synchronous_commit'), pg_catalog.current_setting('fsync'), pg_catalog.current_setting('full_page_writes')),
    'off', 'may lose')
$$;

-- As in version 3, but the run in holdfast.node does not depend on the client that connected last. It names the server and its timeline, and the start of
-- the server too once a client whose commits a crash may lose has connected since that start. It then keeps the start until the server starts again or
-- crashes, which counts as state loss. Such a client is granted no vote before that row is on the disk, and on the standbys that it names.
CREATE OR REPLACE FUNCTION holdfast.connect(OUT run text, OUT lost_at bigint, OUT now bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  n holdfast.node;
  waited text[] := holdfast.complete_standbys();
  start text := (extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint;
  here text;
  may_lose boolean;
  kept boolean;
BEGIN
  run := holdfast.server_run();
  here := split_part(run, '/', 1) || '/' || split_part(run, '/', 2);
  may_lose := run <> here;
  FOR look IN 1 .. 2 LOOP
    SELECT * INTO n FROM holdfast.node;
    kept := n.run = here;
    IF n.run = here || '/' || start THEN
      kept := EXISTS (SELECT FROM holdfast.uncrashed);
    END IF;
    EXIT WHEN look = 2 OR kept AND (n.run <> here OR NOT may_lose) AND n.complete = waited;
    PERFORM FROM holdfast.node FOR UPDATE; -- the first client decides
  END LOOP;
  IF NOT kept OR n.run = here AND may_lose OR n.complete <> waited THEN
    IF n.run = '' THEN -- a promoted standby, or a server that loses commits in a crash, may lack an earlier row
      n.lost_at := CASE WHEN split_part(run, '/', 2) <> '00000001' THEN holdfast.clock_millis() WHEN may_lose THEN start::bigint ELSE 0 END;
    ELSIF NOT kept AND NOT holdfast.lost_nothing(n, run) THEN
      n.lost_at := holdfast.clock_millis();
    END IF;
    IF NOT kept THEN
      n.complete := waited;
    ELSIF NOT n.complete <@ waited THEN
      n.complete := ARRAY(SELECT unnest(n.complete) INTERSECT SELECT unnest(waited) ORDER BY 1);
    ELSIF pg_conf_load_time() > n.complete_at THEN -- otherwise another client has reported that it waits for fewer
      n.complete := waited;
    END IF;
    IF may_lose THEN
      INSERT INTO holdfast.uncrashed DEFAULT VALUES ON CONFLICT DO NOTHING;
    END IF;
    UPDATE holdfast.node x
      SET run = CASE WHEN may_lose THEN here || '/' || start WHEN kept THEN n.run ELSE here END,
        lost_at = n.lost_at, complete = n.complete, complete_at = clock_timestamp();
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
  END IF;
  lost_at := n.lost_at;
  now := holdfast.clock_millis();
END $$;

-- As in version 4, but what statements are compared with is read first: connect() may make the end of this transaction wait for the disk.
CREATE OR REPLACE FUNCTION holdfast.open(OUT run text, OUT lost_at bigint, OUT now bigint, OUT process text)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  process := holdfast.settings();
  SELECT * INTO run, lost_at, now FROM holdfast.connect();
END $$;

-- The sealed resources. Its condition changes with a seal only, so other updates of a row leave this index alone.
CREATE INDEX resource_sealed ON holdfast.resource (name) WHERE seal_expiry > 0;

-- As in version 1, but without a look at each resource that is remembered. All names that begin with the prefix lie between the two bounds, since a name
-- has 1,024 bytes at most, and no character is above U+10FFFF. Each part reads its index in the order of names, and ends at
-- the limit.
CREATE OR REPLACE FUNCTION holdfast.list(p_now bigint, p_prefix text, p_limit int) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashagg = off SET enable_sort = off
  SET jit = off AS $$
DECLARE
  now bigint := coalesce(p_now, holdfast.clock_millis());
  last text := p_prefix || repeat(chr(1114111), 300);
BEGIN
  RETURN QUERY SELECT used.name FROM (
      (SELECT DISTINCT v.resource AS name FROM holdfast.vote v
         WHERE v.resource BETWEEN p_prefix AND last AND v.expiry > now ORDER BY v.resource LIMIT p_limit)
      UNION
      (SELECT DISTINCT w.resource FROM holdfast.waiter w
         WHERE w.resource BETWEEN p_prefix AND last AND w.expiry > now ORDER BY w.resource LIMIT p_limit)
      UNION
      (SELECT x.name FROM holdfast.resource x
         WHERE x.name BETWEEN p_prefix AND last AND x.seal_expiry > 0 AND x.seal_expiry > now ORDER BY x.name LIMIT p_limit)) used
    ORDER BY used.name LIMIT p_limit;
END $$;

-- As in version 1, but the ttl of a request is remembered once it is queued. Before, it was remembered only once its vote was extended.
CREATE OR REPLACE FUNCTION holdfast.acquire(
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
    IF p_mode > 0 THEN -- its vote may come as late as the entry ends, and last as long again before its first extension
      r := holdfast.remember_ttl(r, p_ttl, p_now, greatest(p_retention, 4 * p_waiter_ttl));
    END IF;
    pushes := holdfast.promote(r, p_now, p_base, p_retention, pushes);
    answer := ARRAY['Q', queued_fence::text, place::text] || holdfast.refusal(r, p_owner, p_mode, p_ttl, p_now);
  ELSE -- 5
    answer := ARRAY['D', CASE WHEN blocked THEN 'HELD' ELSE 'WAITERS' END] || holdfast.refusal(r, p_owner, p_mode, p_ttl, p_now);
  END IF;
END $$;

-- Earlier steps passed the rights of roles on, but not those of PUBLIC.
DO $do$
BEGIN
  IF EXISTS (SELECT FROM pg_catalog.pg_proc p, pg_catalog.aclexplode(p.proacl) a
      WHERE p.oid = 'holdfast.schema_version()'::regprocedure AND a.privilege_type = 'EXECUTE' AND a.grantee = 0) THEN
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA holdfast TO PUBLIC;
  END IF;
END $do$;

-- An administrator may have run this step, or an earlier one, as another role than the owner. Functions of one role must call those of the other then.
DO $do$
DECLARE
  n record;
  made text;
BEGIN
  SELECT c.relnamespace AS namespace, c.relowner AS owner INTO n FROM pg_catalog.pg_class c WHERE c.oid = 'holdfast.node'::regclass;
  EXECUTE 'ALTER TABLE holdfast.uncrashed OWNER TO ' || n.owner::regrole;
  FOR made IN SELECT p.oid::regprocedure FROM pg_catalog.pg_proc p WHERE p.pronamespace = n.namespace AND p.proowner <> n.owner LOOP
    EXECUTE 'ALTER FUNCTION ' || made || ' OWNER TO ' || n.owner::regrole;
  END LOOP;
END $do$;

UPDATE holdfast.node SET version = 7;
