package dev.holdfast.redis;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.RedisCommand;
import org.jspecify.annotations.Nullable;

/** A command that can stand in the line of a {@link ServerConnection}: it knows the one before it there, and nobody else may ask it. */
interface Outgoing extends RedisCommand<String, String, Object> {

    @Nullable
    Outgoing before();

    void setBefore(@Nullable Outgoing command);

    /** Any command of Lettuce's. */
    final class Any extends AsyncCommand<String, String, Object> implements Outgoing {

        private @Nullable Outgoing before;

        Any(Command<String, String, Object> command) {
            super(command);
        }

        @Override
        public @Nullable Outgoing before() {
            return before;
        }

        @Override
        public void setBefore(@Nullable Outgoing command) {
            before = command;
        }
    }
}
