-- The step from version 2 to version 3. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of all versions work with the result, so the step needs no downtime.
--
-- A server that is promoted lacks no commit if every commit of its primary waited for it. It finds that in the row of holdfast.node, which it has from
-- its primary, and in its own name.

-- The standbys, by their names, that each commit waits for in this run; empty if commits wait for none of them, or for any of several.
ALTER TABLE holdfast.node ADD COLUMN complete text[] NOT NULL DEFAULT '{}';
-- When that was recorded.
ALTER TABLE holdfast.node ADD COLUMN complete_at timestamptz NOT NULL DEFAULT '-infinity';

-- The standbys that each commit of this session waits for. A list of which some suffice names none, and neither does "*".
CREATE FUNCTION holdfast.complete_standbys() RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  setting text := current_setting('synchronous_standby_names');
  parts text[];
  names text[];
BEGIN
  IF setting = '' OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
    RETURN '{}';
  END IF;
  parts := regexp_match(setting, '^\s*(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)\s*$', 'i');
  SELECT array_agg(DISTINCT lower(btrim(x, E' \t"'))) INTO names
    FROM unnest(string_to_array(coalesce(parts[2], setting), ',')) x;
  IF '*' = ANY (names) OR cardinality(names) <> coalesce(parts[1]::int, 1) THEN
    RETURN '{}';
  END IF;
  RETURN names;
END $$;

-- The name under which this server was a standby; null if it was none, or if the owner of this schema must not read it (pg_read_all_settings).
CREATE FUNCTION holdfast.standby_name() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  source text;
  parts text[];
BEGIN
  source := current_setting('primary_conninfo');
  parts := regexp_match(source, 'application_name\s*=\s*(?:''([^'']*)''|(\S+))');
  RETURN CASE WHEN source <> '' THEN lower(coalesce(parts[1], parts[2], nullif(current_setting('cluster_name'), ''))) END;
EXCEPTION WHEN insufficient_privilege THEN
  RETURN NULL;
END $$;

-- Names this server and its timeline, and also its start if a restart may lose commits.
CREATE FUNCTION holdfast.server_run() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_catalog.pg_control_system()),
    CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'standby'
      ELSE left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8) END,
    CASE WHEN pg_catalog.current_setting('synchronous_commit') = 'off' OR pg_catalog.current_setting('fsync') = 'off'
      OR pg_catalog.current_setting('full_page_writes') = 'off'
      THEN (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000)::bigint END)
$$;

-- What each statement compares with the run in which its connection began. It differs once commits wait for fewer standbys than holdfast.node says, so
-- that no vote is granted before a new connection has corrected that row.
CREATE OR REPLACE FUNCTION holdfast.run() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT holdfast.server_run() || CASE WHEN EXISTS (SELECT FROM holdfast.node n WHERE n.complete <@ holdfast.complete_standbys())
    THEN '' ELSE '/waits for fewer standbys' END
$$;

CREATE OR REPLACE FUNCTION holdfast.connect(OUT run text, OUT lost_at bigint, OUT now bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  n holdfast.node;
  waited text[] := holdfast.complete_standbys();
BEGIN
  run := holdfast.server_run();
  SELECT * INTO n FROM holdfast.node;
  IF n.run <> run OR n.complete <> waited THEN
    SELECT * INTO n FROM holdfast.node FOR UPDATE; -- the first client decides
    IF n.run <> run THEN
      IF n.run = '' THEN -- a promoted standby, or a server that loses commits in a crash, may lack an earlier row
        n.lost_at := CASE WHEN split_part(run, '/', 2) <> '00000001' THEN holdfast.clock_millis()
          ELSE coalesce(nullif(split_part(run, '/', 3), '')::bigint, 0) END;
      ELSIF NOT holdfast.lost_nothing(n, run) THEN
        n.lost_at := holdfast.clock_millis();
      END IF;
      n.complete := waited;
    ELSIF NOT n.complete <@ waited THEN
      n.complete := ARRAY(SELECT unnest(n.complete) INTERSECT SELECT unnest(waited) ORDER BY 1);
    ELSIF pg_conf_load_time() > n.complete_at THEN -- otherwise another client has reported that it waits for fewer
      n.complete := waited;
    END IF;
    UPDATE holdfast.node x
      SET run = connect.run, lost_at = n.lost_at, complete = n.complete, complete_at = clock_timestamp();
  END IF;
  lost_at := n.lost_at;
  now := holdfast.clock_millis();
END $$;

-- Returns whether this server was a standby that had each commit of the run that the row names.
CREATE FUNCTION holdfast.lost_nothing(n holdfast.node, p_run text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT split_part(n.run, '/', 1) = split_part(p_run, '/', 1) AND split_part(n.run, '/', 2) < split_part(p_run, '/', 2)
    AND split_part(n.run, '/', 3) = '' AND coalesce(holdfast.standby_name() = ANY (n.complete), false)
$$;

REVOKE ALL ON FUNCTION holdfast.complete_standbys(), holdfast.standby_name(), holdfast.server_run(),
  holdfast.lost_nothing(holdfast.node, text) FROM PUBLIC;

UPDATE holdfast.node SET version = 3;
