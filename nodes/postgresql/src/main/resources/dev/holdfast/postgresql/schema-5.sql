-- The step from version 4 to version 5. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of all versions work with the result, so the step needs no downtime.

-- Names this start of the server and the settings that run() depends on. Volatile, as a function in it is, or its calls would not be inlined.
CREATE FUNCTION holdfast.settings() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT pg_catalog.concat_ws('/', (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::bigint, pg_catalog.pg_is_in_recovery(),
    pg_catalog.current_setting('synchronous_commit'), pg_catalog.current_setting('fsync'), pg_catalog.current_setting('full_page_writes'))
$$;

-- As in version 4.
CREATE OR REPLACE FUNCTION holdfast.process() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT holdfast.settings() FROM holdfast.node n WHERE n.complete <@ holdfast.complete_standbys()
$$;

-- Carries out requests, and notifies the clients of pushes: one transaction for all of them. First come p_acquires plain ACQUIREs, then p_releases plain
-- RELEASEs, then all others. An ACQUIRE is plain if its mode is not NL and it has neither a floor nor a value; a RELEASE, if it leaves neither a tombstone
-- nor a seal nor a value. Returns the answers with the positions of their requests. The answer at position 0 consists of the positions of RELEASEs
-- that released a vote and did nothing else. Kinds and arrays are those of carry_out, and p_b to p_value_texts may end early if all their further
-- elements are null or false. If p_now is not null, which is for tests, that is the time, and only requests for quiet resources are carried out.
--
-- A resource is quiet for an ACQUIRE if it has no vote, waiter, tombstone and seal, and for a RELEASE if it has no waiter. All plain requests for quiet
-- resources share one statement for each kind. A statement costs far more than what it does with one row, and each expression costs something in each
-- transaction, so there are few. No statistics can make a plan that walks through a table: rows are found by "= ANY" or in a subquery with OFFSET 0, which
-- the planner does not turn into a join.
CREATE FUNCTION holdfast.serve(
  p_run text, p_now bigint, p_retention bigint, p_acquires int, p_releases int, p_kinds text[], p_bases bigint[], p_resources text[],
  p_owners text[], p_ttls bigint[], p_a bigint[], p_b bigint[], p_c bigint[], p_d bigint[], p_flag_1 boolean[], p_flag_2 boolean[],
  p_sealed_by text[], p_value_tokens bigint[], p_value_numbers bigint[], p_value_texts text[])
  RETURNS TABLE (place int, answer text[], fence bigint, value_token bigint, value_number bigint, value_text text, longest_ttl bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s'
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET jit = off AS $$
DECLARE
  total int := cardinality(p_resources);
  locked int;
  granted int;
  now bigint;
  acquired text[];
  released int[] := '{}';
  done record;
  pushed text;
BEGIN
  -- Locks all or none, in the order of their names. The order is not the index's own, or the planner might read all of the index to save a sort.
  PERFORM FROM holdfast.resource x
    WHERE x.name = ANY (p_resources)
      AND EXISTS (SELECT FROM holdfast.node n
        WHERE n.only_row AND p_run = holdfast.settings() AND (n.complete = '{}' OR n.complete <@ holdfast.complete_standbys()))
      AND (SELECT count(*) FROM holdfast.resource y WHERE y.name = ANY (p_resources)) = total
    ORDER BY x.name || '' FOR NO KEY UPDATE;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF locked < total THEN
    IF p_run IS DISTINCT FROM holdfast.process() AND p_run <> holdfast.run() THEN
      RAISE EXCEPTION 'another server or run: %', holdfast.run() USING ERRCODE = 'HF001';
    END IF;
    IF NOT holdfast.lock_resources(p_resources) THEN -- a resource occurs twice: its requests are carried out in their order
      p_acquires := 0;
      p_releases := 0;
    END IF;
  END IF;
  now := coalesce(p_now, holdfast.clock_millis());
  IF p_acquires > 0 THEN
    acquired := p_resources[1 : p_acquires];
    FOR attempt IN 1 .. 2 LOOP
      RETURN QUERY
        WITH fenced AS (
          UPDATE holdfast.resource x
            SET fence = holdfast.next_fence(
                  CASE WHEN x.fence_expiry > now THEN x.fence ELSE 0 END, now, p_bases[array_position(p_resources, x.name)])
                  + p_c[array_position(p_resources, x.name)],
                fence_expiry = now + p_retention,
                longest_ttl = greatest(CASE WHEN x.longest_ttl_expiry > now THEN x.longest_ttl END, p_ttls[array_position(p_resources, x.name)]),
                longest_ttl_expiry = CASE
                  WHEN x.longest_ttl_expiry <= now OR x.longest_ttl - p_ttls[array_position(p_resources, x.name)] -- the same ttl: after half of it
                    < CASE WHEN x.longest_ttl_expiry < now + p_retention / 2 THEN 1 ELSE 0 END THEN now + p_retention
                  ELSE x.longest_ttl_expiry END
            WHERE x.name = ANY (acquired)
              AND NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = ANY (acquired))
              AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = ANY (acquired))
              AND NOT EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = ANY (acquired))
              AND x.seal_expiry <= now AND (x.value_token IS NULL OR x.fence_expiry > now)
            RETURNING array_position(p_resources, x.name) AS i, x.fence, x.value_token, x.value_number, x.value_text, x.longest_ttl),
        granted AS (
          INSERT INTO holdfast.vote (resource, owner, mode, first_fence, fence, expiry, attempt)
            SELECT p_resources[f.i], p_owners[f.i], p_a[f.i], f.fence - p_c[f.i] + 1, f.fence, now + p_ttls[f.i],
                split_part(p_owners[f.i], '/', 2)::bigint
              FROM fenced f)
        SELECT f.i, NULL::text[], f.fence, f.value_token, f.value_number, f.value_text, f.longest_ttl FROM fenced f;
      GET DIAGNOSTICS granted = ROW_COUNT;
      EXIT WHEN granted > 0;
      acquired := ARRAY(SELECT p_resources[i] FROM generate_series(1, p_acquires) i -- not all are quiet
        WHERE NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = p_resources[i] OFFSET 0)
          AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = p_resources[i] OFFSET 0)
          AND NOT EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = p_resources[i] OFFSET 0));
    END LOOP;
    IF granted < cardinality(acquired) THEN -- some have a seal, or a value that has expired
      acquired := ARRAY(SELECT v.resource FROM holdfast.vote v WHERE v.resource = ANY (acquired));
    END IF;
  END IF;
  IF p_releases > 0 THEN
    WITH mine AS MATERIALIZED (
      SELECT i, x.at FROM generate_series(p_acquires + 1, p_acquires + p_releases) i,
          LATERAL (SELECT v.ctid AS at FROM holdfast.vote v
                     WHERE v.resource = p_resources[i] AND v.owner = p_owners[i] AND NOT v.released AND v.expiry > now
                       AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = p_resources[i] OFFSET 0)
                     FOR UPDATE OF v SKIP LOCKED) x),
    gone AS (DELETE FROM holdfast.vote v WHERE v.ctid = ANY (ARRAY(SELECT m.at FROM mine m)))
    SELECT coalesce(array_agg(m.i), '{}') INTO released FROM mine m;
    place := 0;
    answer := released;
    RETURN NEXT;
    -- A crash that loses such a release leaves a vote that expires, and nothing else: whatever anyone is granted later is written after it.
    IF cardinality(released) = total THEN
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN;
    END IF;
  END IF;
  IF p_now IS NOT NULL OR coalesce(cardinality(acquired), 0) + cardinality(released) = total THEN
    RETURN;
  END IF;
  FOR i IN 1 .. total LOOP
    CONTINUE WHEN i <= p_acquires AND p_resources[i] = ANY (acquired) OR i = ANY (released);
    IF p_kinds[i] = 'A' THEN
      done := holdfast.acquire(NULL, p_bases[i], p_retention, p_resources[i], p_owners[i], p_a[i]::int, p_ttls[i], p_flag_1[i], p_b[i],
        p_c[i]::int, coalesce(p_d[i], 0), coalesce(p_flag_2[i], false), p_value_tokens[i], p_value_numbers[i], p_value_texts[i]);
    ELSE
      done := holdfast.release(NULL, p_bases[i], p_retention, p_resources[i], p_owners[i], p_a[i], p_sealed_by[i], p_b[i], p_c[i],
        p_value_tokens[i], p_value_numbers[i], p_value_texts[i]);
    END IF;
    FOREACH pushed IN ARRAY done.pushes LOOP
      PERFORM pg_notify(holdfast.channel(split_part(split_part(pushed, '|', 3), '/', 1)), pushed);
    END LOOP;
    place := i;
    answer := done.answer;
    RETURN NEXT;
  END LOOP;
END $$;

-- For clients of version 4, whose requests are carried out one by one.
CREATE OR REPLACE FUNCTION holdfast.quiet(
  p_now bigint, p_retention bigint, p_kinds text[], p_bases bigint[], p_resources text[], p_owners text[], p_ttls bigint[], p_a bigint[],
  p_c bigint[], p_d bigint[], p_value_tokens bigint[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT '{}'::text[] $$;

-- Only roles that may call the functions of earlier versions may call this one.
DO $do$
DECLARE
  client text;
  added text := 'serve(text, bigint, bigint, int, int, text[], bigint[], text[], text[], bigint[], bigint[], bigint[], bigint[], bigint[], boolean[],'
    || ' boolean[], text[], bigint[], bigint[], text[])';
BEGIN
  REVOKE ALL ON FUNCTION holdfast.settings() FROM PUBLIC;
  EXECUTE 'REVOKE ALL ON FUNCTION holdfast.' || added || ' FROM PUBLIC';
  FOR client IN
    SELECT a.grantee::regrole::text FROM pg_catalog.pg_proc p, pg_catalog.aclexplode(p.proacl) a
      WHERE p.oid = 'holdfast.schema_version()'::regprocedure AND a.privilege_type = 'EXECUTE' AND a.grantee <> p.proowner AND a.grantee <> 0 LOOP
    EXECUTE 'GRANT EXECUTE ON FUNCTION holdfast.' || added || ' TO ' || client;
  END LOOP;
END $do$;

UPDATE holdfast.node SET version = 5;
