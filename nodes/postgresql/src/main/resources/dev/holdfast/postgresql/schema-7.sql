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
