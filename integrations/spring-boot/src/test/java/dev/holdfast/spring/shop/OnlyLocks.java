package dev.holdfast.spring.shop;

/** The property that keeps the example to locks. On this module's class path, Boot would also set up a database and a Redis of the application. */
final class OnlyLocks {

    static final String PROPERTY = "spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

    private OnlyLocks() {}
}
