-- The step from version 3 to version 4. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of all versions work with the result, so the step needs no downtime.

-- When a client last began to sweep.
ALTER TABLE holdfast.node ADD COLUMN swept_at bigint NOT NULL DEFAULT 0;

-- Locks the rows of these resources in the order of their names, and creates those that are missing, before it locks any: two transactions that lock
-- the same resources wait in one direction only, unless a sweep deletes a row in between; PostgreSQL then ends one of them. Returns whether no name
-- occurs twice.
CREATE FUNCTION holdfast.lock_resources(p_names text[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  names text[] := p_names;
  locked int;
BEGIN
  IF cardinality(names) > 1 THEN
    names := ARRAY(SELECT DISTINCT x COLLATE "C" FROM unnest(p_names) x ORDER BY 1);
  END IF;
  LOOP
    PERFORM FROM holdfast.resource x
      WHERE x.name = ANY (names) AND (SELECT count(*) FROM holdfast.resource y WHERE y.name = ANY (names)) = cardinality(names)
      ORDER BY x.name FOR NO KEY UPDATE;
    GET DIAGNOSTICS locked = ROW_COUNT;
    EXIT WHEN locked = cardinality(names);
    INSERT INTO holdfast.resource (name) SELECT x FROM unnest(names) x ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN cardinality(names) = cardinality(p_names);
END $$;

-- Carries out the requests for quiet resources, one statement for each kind. It equals acquire and release where these do least: an ACQUIRE of a
-- resource without votes, waiters, tombstones and seal, and a RELEASE of a vote for which nobody waits, which no transaction asserts, and which
-- leaves neither value nor tombstone nor seal. The rows of the resources are locked already, and no resource occurs twice. Returns the answers by
-- position; null where the request is not of this kind. Rows are found from the requests (LATERAL) and then named by their place, so no statistics
-- can make a plan that walks through a table.
CREATE FUNCTION holdfast.quiet(
  p_now bigint, p_retention bigint, p_kinds text[], p_bases bigint[], p_resources text[], p_owners text[], p_ttls bigint[], p_a bigint[],
  p_c bigint[], p_d bigint[], p_value_tokens bigint[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  places int[];
  given text[];
  answers text[] := '{}';
BEGIN
  IF 'A' = ANY (p_kinds) THEN
    WITH free AS MATERIALIZED (
      SELECT i, x.place FROM generate_series(1, cardinality(p_kinds)) i,
          LATERAL (SELECT r.ctid AS place, r.seal_expiry FROM holdfast.resource r WHERE r.name = p_resources[i] OFFSET 0) x
        WHERE p_kinds[i] = 'A' AND p_a[i] > 0 AND p_d[i] = 0 AND x.seal_expiry <= p_now
          AND NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = p_resources[i])
          AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = p_resources[i])
          AND NOT EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = p_resources[i])),
    fenced AS (
      UPDATE holdfast.resource x
        SET fence = holdfast.next_fence(CASE WHEN x.fence_expiry > p_now THEN x.fence ELSE 0 END, p_now, p_bases[f.i]) + p_c[f.i],
            fence_expiry = p_now + p_retention,
            value_token = CASE WHEN x.fence_expiry > p_now THEN x.value_token END,
            value_number = CASE WHEN x.fence_expiry > p_now THEN x.value_number END,
            value_text = CASE WHEN x.fence_expiry > p_now THEN x.value_text END,
            longest_ttl = CASE WHEN x.longest_ttl_expiry > p_now THEN greatest(x.longest_ttl, p_ttls[f.i]) ELSE p_ttls[f.i] END,
            longest_ttl_expiry = CASE
              WHEN x.longest_ttl_expiry <= p_now OR x.longest_ttl < p_ttls[f.i]
                OR x.longest_ttl = p_ttls[f.i] AND x.longest_ttl_expiry < p_now + p_retention / 2 THEN p_now + p_retention
              ELSE x.longest_ttl_expiry END
        FROM free f WHERE x.ctid = f.place
        RETURNING f.i, x.name, x.fence, x.value_token, x.value_number, x.value_text, x.longest_ttl),
    granted AS (
      INSERT INTO holdfast.vote (resource, owner, mode, first_fence, fence, expiry, attempt)
        SELECT f.name, p_owners[f.i], p_a[f.i], f.fence - p_c[f.i] + 1, f.fence, p_now + p_ttls[f.i],
            split_part(p_owners[f.i], '/', 2)::bigint
          FROM fenced f)
    SELECT array_agg(f.i), array_agg(ARRAY['G', f.fence::text, NULL, NULL, split_part(p_owners[f.i], '/', 2), f.value_token::text,
          f.value_number::text, f.value_text, CASE WHEN f.longest_ttl > p_ttls[f.i] THEN f.longest_ttl::text ELSE '0' END]::text)
      INTO places, given FROM fenced f;
    FOR i IN 1 .. coalesce(cardinality(places), 0) LOOP
      answers[places[i]] := given[i];
    END LOOP;
  END IF;
  IF 'R' = ANY (p_kinds) THEN
    WITH mine AS MATERIALIZED (
      SELECT i, x.place FROM generate_series(1, cardinality(p_kinds)) i,
          LATERAL (SELECT v.ctid AS place FROM holdfast.vote v
                     WHERE v.resource = p_resources[i] AND v.owner = p_owners[i] AND NOT v.released AND v.expiry > p_now
                       AND p_kinds[i] = 'R' AND p_a[i] = 0 AND p_c[i] IS NULL AND p_value_tokens[i] IS NULL
                       AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = p_resources[i])
                     FOR UPDATE OF v SKIP LOCKED) x),
    gone AS (DELETE FROM holdfast.vote v WHERE v.ctid = ANY (ARRAY(SELECT m.place FROM mine m)))
    SELECT array_agg(m.i) INTO places FROM mine m;
    FOR i IN 1 .. coalesce(cardinality(places), 0) LOOP
      answers[places[i]] := '{R}';
    END LOOP;
  END IF;
  RETURN answers;
END $$;

-- As in version 1, but with the resources of all requests locked by one statement, and with quiet resources served together. The plans are generic, so
-- none is made again, and use the indexes, so none that was made for an empty table serves a large one. Bitmap scans are off since they pass dead
-- entries of an index again and again: only plain scans mark such entries, and a name in use leaves one for every lease.
CREATE OR REPLACE FUNCTION holdfast.carry_out(
  p_run text, p_retention bigint, p_kinds text[], p_bases bigint[], p_resources text[], p_owners text[], p_ttls bigint[],
  p_a bigint[], p_b bigint[], p_c bigint[], p_d bigint[], p_flag_1 boolean[], p_flag_2 boolean[], p_sealed_by text[],
  p_value_tokens bigint[], p_value_numbers bigint[], p_value_texts text[]) RETURNS SETOF text[]
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s'
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET jit = off AS $$
DECLARE
  quiet text[];
  done record;
  pushed text;
BEGIN
  IF p_run IS DISTINCT FROM holdfast.process() AND p_run <> holdfast.run() THEN
    RAISE EXCEPTION 'another server or run: %', holdfast.run() USING ERRCODE = 'HF001';
  END IF;
  IF holdfast.lock_resources(p_resources) THEN
    quiet := holdfast.quiet(
      holdfast.clock_millis(), p_retention, p_kinds, p_bases, p_resources, p_owners, p_ttls, p_a, p_c, p_d, p_value_tokens);
  END IF;
  -- A crash that loses such a release leaves a vote that expires, and nothing else: whatever anyone is granted later is written after it.
  IF array_remove(p_kinds, 'R') = '{}' AND array_length(quiet, 1) = cardinality(p_kinds) AND array_position(quiet, NULL) IS NULL THEN
    PERFORM set_config('synchronous_commit', 'off', true);
  END IF;
  RETURN NEXT ARRAY[floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text];
  FOR i IN 1 .. cardinality(p_kinds) LOOP
    IF quiet[i] IS NOT NULL THEN
      RETURN NEXT quiet[i]::text[];
      CONTINUE;
    END IF;
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

-- Names this start of the server and the settings that run() depends on: what run() names stays the same as long as this does. It costs less, since it
-- does not read the server's control file. Only the end of a recovery changes the timeline of a server that runs. Null if commits wait for fewer
-- standbys than holdfast.node says.
CREATE FUNCTION holdfast.process() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM holdfast.node n WHERE n.complete <@ holdfast.complete_standbys()) THEN
    RETURN concat_ws('/', (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, pg_is_in_recovery(),
      current_setting('synchronous_commit'), current_setting('fsync'), current_setting('full_page_writes'));
  END IF;
  RETURN NULL;
END $$;

-- As connect(), and what each statement of the connection is compared with. One function, so that a pooler cannot send the two to different servers.
CREATE FUNCTION holdfast.open(OUT run text, OUT lost_at bigint, OUT now bigint, OUT process text)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT * INTO run, lost_at, now FROM holdfast.connect();
  process := coalesce(holdfast.process(), run);
END $$;

-- Drops the expired state among the next p_limit resources after this name; never waits for a lock. Returns the last of these names; null at the end,
-- and if p_after is '' and a client began to sweep less than p_every milliseconds ago.
CREATE FUNCTION holdfast.sweep(p_after text, p_limit int, p_every bigint) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now bigint := holdfast.clock_millis();
  names text[];
  unused text;
BEGIN
  IF p_after = '' THEN
    UPDATE holdfast.node n SET swept_at = now WHERE n.swept_at NOT BETWEEN now - p_every + 1 AND now;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  names := ARRAY(SELECT x.name FROM holdfast.resource x WHERE x.name > p_after ORDER BY x.name LIMIT p_limit);
  FOR unused IN
    SELECT x.name FROM holdfast.resource x
      WHERE x.name = ANY (names) AND x.fence_expiry <= now AND x.longest_ttl_expiry <= now AND x.seal_expiry <= now
      FOR UPDATE SKIP LOCKED LOOP
    DELETE FROM holdfast.vote v
      USING (SELECT y.owner FROM holdfast.vote y WHERE y.resource = unused AND y.expiry <= now FOR UPDATE SKIP LOCKED) gone
      WHERE v.resource = unused AND v.owner = gone.owner;
    DELETE FROM holdfast.waiter w WHERE w.resource = unused AND w.expiry <= now;
    DELETE FROM holdfast.tombstone t WHERE t.resource = unused AND t.expiry <= now;
    DELETE FROM holdfast.resource x WHERE x.name = unused
      AND NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = unused)
      AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = unused)
      AND NOT EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = unused);
  END LOOP;
  RETURN names[p_limit];
END $$;

-- Only roles that may call the functions of earlier versions may call these.
DO $do$
DECLARE
  client text;
  added text;
BEGIN
  FOREACH added IN ARRAY ARRAY['lock_resources(text[])', 'process()', 'open()', 'sweep(text, int, bigint)',
      'quiet(bigint, bigint, text[], bigint[], text[], text[], bigint[], bigint[], bigint[], bigint[], bigint[])'] LOOP
    EXECUTE 'REVOKE ALL ON FUNCTION holdfast.' || added || ' FROM PUBLIC';
    FOR client IN
      SELECT a.grantee::regrole::text FROM pg_catalog.pg_proc p, pg_catalog.aclexplode(p.proacl) a
        WHERE p.oid = 'holdfast.schema_version()'::regprocedure AND a.privilege_type = 'EXECUTE' AND a.grantee <> p.proowner AND a.grantee <> 0 LOOP
      EXECUTE 'GRANT EXECUTE ON FUNCTION holdfast.' || added || ' TO ' || client;
    END LOOP;
  END LOOP;
END $do$;

UPDATE holdfast.node SET version = 4;
