package dev.holdfast.simulator;

/**
 * The row in which a PostgreSQL node stores its run, by the rules of {@code holdfast.connect} in the schema. It is part of the state that a promoted
 * standby has.
 *
 * @param run the run of the server that stored the row; empty before the first one
 * @param lostAtMillis since when the server may lack commits, by its clock; 0 if it lost nothing
 * @param complete whether every commit of the run waits for the standby
 */
record DatabaseRow(Run run, long lostAtMillis, boolean complete) {

    /**
     * A run of a server.
     *
     * @param timeline the number of promotions
     * @param startMillis when the server started, by its clock, if a crash may cost it commits; 0 for a durable server
     */
    record Run(int timeline, long startMillis) {

        static final Run NONE = new Run(-1, 0);
    }

    static final DatabaseRow EMPTY = new DatabaseRow(Run.NONE, 0, false);

    /**
     * Returns the row after a client has connected.
     *
     * @param now the present run
     * @param waits whether commits wait for the standby now
     */
    DatabaseRow connected(Run now, boolean waits, long nowMillis) {
        if (run.equals(now)) {
            return new DatabaseRow(run, lostAtMillis, waits);
        }
        return new DatabaseRow(now, lostBefore(now, nowMillis), waits);
    }

    private long lostBefore(Run now, long nowMillis) {
        if (run.equals(Run.NONE)) { // an earlier row may be lost
            return now.timeline > 0 ? nowMillis : now.startMillis;
        }
        boolean hasAll = complete && now.timeline > run.timeline && run.startMillis == 0;
        return hasAll ? lostAtMillis : nowMillis;
    }
}
