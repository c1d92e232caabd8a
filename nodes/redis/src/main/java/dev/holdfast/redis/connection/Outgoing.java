package dev.holdfast.redis.connection;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.RedisCommand;
import org.jspecify.annotations.Nullable;

/** A command that can stand in the line of a {@link ServerConnection}: it keeps the place of a neighbour there. */
interface Outgoing extends RedisCommand<String, String, Object> {

    @Nullable
    Outgoing neighbour();

    void setNeighbour(@Nullable Outgoing command);

    /** Any command of Lettuce's. */
    final class Any extends AsyncCommand<String, String, Object> implements Outgoing {

        private @Nullable Outgoing neighbour;

        Any(Command<String, String, Object> command) {
            super(command);
        }

        @Override
        public @Nullable Outgoing neighbour() {
            return neighbour;
        }

        @Override
        public void setNeighbour(@Nullable Outgoing command) {
            neighbour = command;
        }
    }
}
