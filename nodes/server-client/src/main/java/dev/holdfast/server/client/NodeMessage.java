package dev.holdfast.server.client;

import dev.holdfast.lock.Persistence;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseAnswer;
import dev.holdfast.node.Unavailable;
import java.util.List;
import java.util.OptionalLong;

/**
 * A message from a server, as a node, to its client: an answer with the {@code id} of its request, or a push. Each message is one line, and a frame carries one
 * or more lines.
 *
 * <pre>
 * {"id":1,"answer":"hello","serverId":"6f3a…","version":"holdfast 0.1.0","uptimeMillis":120000,"quarantineMillis":0,"remembers":true,
 *  "persistence":"seals"}
 * {"id":2,"answer":"granted","fence":1882512513040385,"latestTicketTime":1763770000000000}
 * {"id":3,"answer":"released"}
 * {"push":"granted","resource":"lock:orders:42","owner":"…","fence":1882512513040386}
 * {"id":1,"answer":"member","cluster":"shop#3f9a21c4","server":"b","version":"holdfast 0.1.0","uptimeMillis":120000}
 * {"push":"leads","cluster":"shop#3f9a21c4"}
 * {"push":"leads","cluster":"shop#3f9a21c4","groups":[0,2],"of":3}
 * {"push":"follows","reason":"server a leads, and this is server b"}
 * {"push":"contended","resource":"lock:orders:42","owner":"…","fence":1882512513040385,"waiter":{"time":1763770000000001,"client":"…"}}
 * </pre>
 */
public sealed interface NodeMessage {

    /**
     * The server's introduction.
     *
     * @param serverId identifies this run of the server
     * @param version the server's kind and version, for people
     * @param uptimeMillis for how long the server has known all its votes, in ms: since its start, or since its folder for data was empty
     * @param quarantineMillis the time in ms until the server votes; 0 if it votes now
     * @param remembers whether the server knows all votes that may still be valid; if it does, its age does not matter
     * @param persistence what the server keeps across a restart; older servers do not send it
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
     * The introduction of a server that belongs to a cluster. A notice follows that says whether the server leads, and another one after each change. Only the
     * server that leads the group of a lock carries out requests for it.
     *
     * @param cluster the name of the cluster, with a mark that no other cluster of this name has; without it while the server does not know it
     * @param server the name of the server in its cluster
     * @param groups the number of groups of locks; a server sends no field if there is one
     * @param version the server's kind and version, for people
     * @param uptimeMillis for how long the server has run, in ms
     */
    record Member(String cluster, String server, int groups, String version, long uptimeMillis)
            implements NodeMessage {}

    /**
     * The notice that the server leads its cluster, or some of its groups. Another one follows after each change.
     *
     * @param cluster the name of the cluster with its mark, as in the introduction
     * @param groups what the server leads; a server of a cluster with one group sends no fields
     */
    record Leads(String cluster, LockGroups groups) implements NodeMessage {}

    /**
     * The notice that the server does not lead its cluster.
     *
     * @param reason which server leads, or why none does, for people
     */
    record Follows(String reason) implements NodeMessage {}

    /**
     * The state of the server.
     *
     * @param wallMillis the server's wall clock
     */
    record Status(long uptimeMillis, long quarantineMillis, long wallMillis, List<String> warnings)
            implements NodeMessage {
        public Status {
            warnings = List.copyOf(warnings);
        }
    }

    /** The answer to an acquire. */
    record Acquired(AcquireAnswer answer) implements NodeMessage {}

    /** The answer to a release. */
    record Released(ReleaseAnswer answer) implements NodeMessage {}

    /** The answer to an inspect. */
    record Inspected(InspectAnswer answer) implements NodeMessage {}

    /** The answer to a list. */
    record Listed(ListAnswer answer) implements NodeMessage {}

    /** The answer for a node that is unavailable. */
    record Failed(Unavailable why) implements NodeMessage {}

    /**
     * The rejection of a request that is invalid or not allowed.
     *
     * @param reason why, for people
     */
    record Refused(String reason) implements NodeMessage {}

    /** A push, which answers no request. */
    record Pushed(Push push) implements NodeMessage {}

    /**
     * A message as it is written in a frame.
     *
     * @param id the request that the message answers; empty for a push or a notice
     */
    record Line(OptionalLong id, NodeMessage message) {

        public static Line answer(long id, NodeMessage message) {
            return new Line(OptionalLong.of(id), message);
        }

        public static Line push(Push push) {
            return notice(new Pushed(push));
        }

        public static Line notice(NodeMessage message) {
            return new Line(OptionalLong.empty(), message);
        }

        /** Returns the message as one line, without the line end. */
        public String text() {
            return MessageWriter.text(this);
        }

        /**
         * Reads one line.
         *
         * @throws IllegalArgumentException if the line is not a message
         */
        public static Line parse(String line) {
            return MessageReader.line(JsonFields.parse(line));
        }
    }
}
