package dev.holdfast.benchmarks.report;

/** A measured quantity. */
public enum Metric {
    PAIRS("pairs", "acquire and release, pairs", "/s"),
    RATE("rate", "locks", "/s"),
    P50("p50", "acquire, median", "µs"),
    P99("p99", "acquire, 99 %", "µs"),
    HAND_OVER_P50("p50", "hand-over, median", "µs"),
    HAND_OVER_P99("p99", "hand-over, 99 %", "µs"),
    SPREAD("spread", "turns, most / fewest", ""),
    READS("reads", "reads", "/s"),
    WRITES("writes", "writes", "/s"),
    LONGEST_READ("longestRead", "longest wait of a reader", "ms"),
    LONGEST_WRITE("longestWrite", "longest wait of a writer", "ms"),
    TAKE_OVER("takeOver", "acquired after the crash", "ms"),
    FAILOVER("failover", "granted after the kill", "ms"),
    LEASE_BYTES("leaseBytes", "heap a lease", "bytes"),
    WAITER_BYTES("waiterBytes", "server's heap, a waiting request", "bytes"),
    SESSION_BYTES("sessionBytes", "server's heap, an idle session with a lock", "bytes"),
    THREADS_ONE("threadsOne", "threads with one lease", ""),
    THREADS_ALL("threadsAll", "threads with all", ""),
    CPU("cpu", "client, of one processor", "%"),
    SERVERS_LOAD("serversLoad", "servers, of one processor", "%"),
    WRITTEN_RATE("writtenRate", "written to disk", "bytes/s"),
    REQUESTS("requests", "scripts at the server", "/s"),
    COST("cost", "cost of a hand-over", "µs"),
    CLIENT_CPU("clientCpu", "client, processor time a pair", "µs"),
    SERVER_CPU("serverCpu", "servers, processor time a pair", "µs"),
    WRITTEN("written", "written to disk a pair", "bytes"),
    WAL("wal", "log of changes a pair", "bytes"),
    ALLOCATED("allocated", "allocated a pair", "bytes"),
    TIME("time", "time", "ns"),
    ALLOCATED_ONCE("allocatedOnce", "allocated", "bytes"),
    SHARE("share", "of the client's processor time", "%"),
    SERVER_TIME("serverTime", "time", "µs"),
    INTRUDERS("intruders", "double holders", "");

    /** The name in answers of workers. */
    public final String key;

    /** The name in tables. */
    public final String title;

    /** The unit of its values. */
    public final String unit;

    Metric(String key, String title, String unit) {
        this.key = key;
        this.title = title;
        this.unit = unit;
    }
}
