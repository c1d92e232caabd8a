/**
 * A lock node in a PostgreSQL database. Its functions in PL/pgSQL do what {@link dev.holdfast.node.LockTable} does; {@link
 * dev.holdfast.postgresql.PostgresNodeProvider} describes the URIs.
 */
@NullMarked
package dev.holdfast.postgresql;

import org.jspecify.annotations.NullMarked;
