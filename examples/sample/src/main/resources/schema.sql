CREATE TABLE orders (
  id       bigserial PRIMARY KEY,
  key      text NOT NULL UNIQUE,               -- the Idempotency-Key of whoever placed it
  customer text NOT NULL,
  cents    bigint NOT NULL,
  state    text NOT NULL DEFAULT 'NEW',
  fence    bigint NOT NULL DEFAULT 0           -- the largest token that has changed this row
);
CREATE INDEX ON orders (state, id);

CREATE TABLE payment (
  message  text PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders
);

CREATE TABLE journal (                         -- who did what; nothing here is unique, so that a double would be seen
  id       bigserial PRIMARY KEY,
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  instance text NOT NULL,
  deed     text NOT NULL,
  subject  text NOT NULL,
  token    bigint NOT NULL
);
CREATE INDEX ON journal (deed, subject);

CREATE TABLE holdfast_fence (                  -- what JdbcGuard.ddl() says
  resource bytea PRIMARY KEY,
  token    bigint NOT NULL
);
