package dev.holdfast.redis.connection;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.RedisCommand;
import org.jspecify.annotations.Nullable;

/** A command that can stand in the line of a {@link ServerConnection}: it keeps the place of a neighbour there. */
interface QueuedCommand extends RedisCommand<String, String, Object> {

    @Nullable
    QueuedCommand neighbour();

    void setNeighbour(@Nullable QueuedCommand command);

    /** Any command of Lettuce's. */
    final class Any extends AsyncCommand<String, String, Object> implements QueuedCommand {

        private @Nullable QueuedCommand neighbour;

        Any(Command<String, String, Object> command) {
            super(command);
        }

        @Override
        public @Nullable QueuedCommand neighbour() {
            return neighbour;
        }

        @Override
        public void setNeighbour(@Nullable QueuedCommand command) {
            neighbour = command;
        }
    }
}
