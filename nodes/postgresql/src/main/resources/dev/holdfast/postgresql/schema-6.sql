-- The step from version 5 to version 6. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of all versions work with the result, so the step needs no downtime.

-- As in version 1, but a transaction that keeps its snapshot (REPEATABLE READ, SERIALIZABLE) does not compare the time of a vote: it would see the time
-- from before the extensions since then. The row alone decides there. It exists until another client may be granted the lock, and a row that was deleted
-- after the snapshot fails the statement with SQLSTATE 40001.
CREATE OR REPLACE FUNCTION holdfast.assert_held(p_name text, p_token bigint, p_key_prefix text DEFAULT 'lock:') RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM holdfast.vote v
    WHERE v.resource = p_key_prefix || p_name AND p_token BETWEEN v.first_fence AND v.fence AND v.mode > 0 AND NOT v.released
      AND (v.expiry > holdfast.clock_millis() OR current_setting('transaction_isolation') IN ('repeatable read', 'serializable'))
    FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'lock % is not held with the fencing token %', p_name, p_token
      USING ERRCODE = 'HF002', HINT = 'The lease has ended. Roll back; acquire the lock again before another attempt.';
  END IF;
END $$;

UPDATE holdfast.node SET version = 6;
