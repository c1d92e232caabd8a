-- The step from version 7 to version 8. The node runs this file if its role owns the schema; Flyway, Liquibase or an operator can run it instead.
-- Clients of all versions work with the result, so the step needs no downtime.

-- The server has one queue of notifications for all programs. It cannot empty the queue while a session that listens stays in a transaction, and once the
-- queue is full, each transaction with a notification fails. So the functions that carry out requests send none before that. Waiters find their votes
-- when they ask again.
DO $do$
DECLARE
  changed regproc;
BEGIN
  FOREACH changed IN ARRAY ARRAY['holdfast.carry_out'::regproc, 'holdfast.serve'::regproc] LOOP
    EXECUTE pg_catalog.replace(pg_catalog.pg_get_functiondef(changed), ', pushed);', ', pushed) WHERE pg_notification_queue_usage() < 0.9;');
  END LOOP;
END $do$;

UPDATE holdfast.node SET version = 8;
