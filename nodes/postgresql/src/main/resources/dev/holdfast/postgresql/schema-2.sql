-- The step from version 1 to version 2. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of version 1 and of version 2 work with the result, so the step needs no downtime.

-- A vacuum that returns empty pages to the disk locks the whole table for a moment, and every request would wait for it. These tables need the pages
-- again soon.
ALTER TABLE holdfast.resource SET (vacuum_truncate = off);
ALTER TABLE holdfast.vote SET (vacuum_truncate = off);
ALTER TABLE holdfast.waiter SET (vacuum_truncate = off);
ALTER TABLE holdfast.tombstone SET (vacuum_truncate = off, fillfactor = 50);

-- A connection updates this row at most once, and few connections do.
ALTER TABLE holdfast.node SET (fillfactor = 50);

-- The oldest version of clients that this schema serves. A client that is older than the schema asks for it.
CREATE FUNCTION holdfast.serves_from() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 1 $$;
REVOKE ALL ON FUNCTION holdfast.serves_from() FROM PUBLIC;

-- Roles that may call the functions of version 1 may call that of version 2 too.
DO $do$
DECLARE
  client text;
BEGIN
  FOR client IN
    SELECT a.grantee::regrole::text FROM pg_catalog.pg_proc p, pg_catalog.aclexplode(p.proacl) a
      WHERE p.oid = 'holdfast.schema_version()'::regprocedure AND a.privilege_type = 'EXECUTE' AND a.grantee <> p.proowner AND a.grantee <> 0 LOOP
    EXECUTE 'GRANT EXECUTE ON FUNCTION holdfast.serves_from() TO ' || client;
  END LOOP;
END $do$;

UPDATE holdfast.node SET version = 2;
