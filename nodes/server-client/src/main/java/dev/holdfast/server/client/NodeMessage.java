package dev.holdfast.server.client;

import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a server that is a node says to its client: answers, each with the {@code id} of its request, and pushes. A line each, one or more in a frame.
 *
 * <pre>
 * {"id":1,"answer":"hello","serverId":"6f3a…","version":"holdfast 0.1.0","uptimeMillis":120000,"quarantineMillis":0,"remembers":true,
 *  "persistence":"seals"}
 * {"id":2,"answer":"granted","fence":1882512513040385,"latestTicketTime":1763770000000000}
 * {"id":3,"answer":"released"}
 * {"push":"granted","resource":"lock:orders:42","owner":"…","fence":1882512513040386}
 * {"push":"contended","resource":"lock:orders:42","owner":"…","fence":1882512513040385,"waiter":{"time":1763770000000001,"client":"…"}}
 * </pre>
 */
public sealed interface NodeMessage {

    /**
     * Who answers.
     *
     * @param serverId what tells this run of the server from all others
     * @param version the server's kind and version, for people
     * @param uptimeMillis how long it has run
     * @param quarantineMillis how long it does not vote
     * @param remembers whether it knows of votes of the run before: if it does, its quarantine is enough
     * @param persistence what it keeps when it restarts; a server that knows nothing of this does not say
     */
    record Hello(
            String serverId,
            String version,
            long uptimeMillis,
            long quarantineMillis,
            boolean remembers,
            Persistence persistence)
            implements NodeMessage {}

    /**
     * How the server is.
     *
     * @param wallMillis its wall clock
     */
    record Status(long uptimeMillis, long quarantineMillis, long wallMillis, List<String> warnings)
            implements NodeMessage {
        public Status {
            warnings = List.copyOf(warnings);
        }
    }

    /** To an acquire. */
    record Acquired(AcquireAnswer answer) implements NodeMessage {}

    /** To a release. */
    record Released(ReleaseAnswer answer) implements NodeMessage {}

    /** To an inspect. */
    record Inspected(InspectAnswer answer) implements NodeMessage {}

    /** To a list. */
    record Listed(ListAnswer answer) implements NodeMessage {}

    /** The node could not be asked. */
    record Failed(Unavailable why) implements NodeMessage {}

    /**
     * A request that the server will not carry out, whatever is asked: it is wrong, or not allowed.
     *
     * @param reason why, for people
     */
    record Refused(String reason) implements NodeMessage {}

    /** Nothing was asked. */
    record Pushed(Push push) implements NodeMessage {}

    /**
     * A message as it stands in a frame.
     *
     * @param id the request that it answers; empty if it is a push
     */
    record Line(OptionalLong id, NodeMessage message) {

        public static Line answer(long id, NodeMessage message) {
            return new Line(OptionalLong.of(id), message);
        }

        public static Line push(Push push) {
            return new Line(OptionalLong.empty(), new Pushed(push));
        }

        /** One line, without its end. */
        public String text() {
            return MessageWriter.text(this);
        }

        /**
         * Reads one line.
         *
         * @throws IllegalArgumentException if it is none
         */
        public static Line parse(String line) {
            return MessageReader.line(JsonFields.parse(line));
        }
    }
}
