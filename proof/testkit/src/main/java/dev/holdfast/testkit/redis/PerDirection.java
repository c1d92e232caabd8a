package dev.holdfast.testkit.redis;

import dev.holdfast.redis.process.Direction;

/** A pair of values, one for each direction. */
record PerDirection<T>(T toServer, T toClient) {

    T get(Direction direction) {
        return direction == Direction.TO_SERVER ? toServer : toClient;
    }
}
