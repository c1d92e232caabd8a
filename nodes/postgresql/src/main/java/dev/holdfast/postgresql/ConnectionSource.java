package dev.holdfast.postgresql;

import java.sql.Connection;
import java.sql.SQLException;

/** A source of connections to one database. Opening a connection may block. */
@FunctionalInterface
interface ConnectionSource {

    /** Opens a connection, which the caller closes. */
    Connection open() throws SQLException;

    /** Returns whether only the node uses these connections, and not an application that takes them from the same pool later. */
    default boolean isOwn() {
        return false;
    }
}
