package dev.holdfast.redis.process;

import org.jspecify.annotations.Nullable;

/** The user and password with which the test kit logs in; without a user, the {@code default} user. */
record Login(@Nullable String user, String password) {

    @Override
    public String toString() {
        return (user == null ? "" : user) + ":***";
    }
}
