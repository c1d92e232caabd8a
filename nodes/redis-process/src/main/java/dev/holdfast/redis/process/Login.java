package dev.holdfast.redis.process;

import org.jspecify.annotations.Nullable;

/** Whom the test kit logs in as; without a user, the {@code default} one. */
record Login(@Nullable String user, String password) {

    @Override
    public String toString() {
        return (user == null ? "" : user) + ":***";
    }
}
