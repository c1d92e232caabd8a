CREATE TABLE orders (
  id       bigserial PRIMARY KEY,
  key      text NOT NULL UNIQUE,               -- the Idempotency-Key of the request that placed it
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

CREATE TABLE journal (                         -- one line for each deed; nothing here is unique, so a deed done twice shows
  id       bigserial PRIMARY KEY,
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  instance text NOT NULL,
  deed     text NOT NULL,
  subject  text NOT NULL,
  token    bigint NOT NULL
);
CREATE INDEX ON journal (deed, subject);

CREATE TABLE holdfast_fence (                  -- the table of JdbcGuard.ddl()
  resource bytea PRIMARY KEY,
  token    bigint NOT NULL
);
