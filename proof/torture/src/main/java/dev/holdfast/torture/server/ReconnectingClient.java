package dev.holdfast.torture.server;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client that connects, uses locks in one of several ways, and leaves in one of several ways, again and again. */
final class ReconnectingClient implements Runnable {

    /** The counts of all clients together. Thread-safe. */
    static final class Tally {
        final LongAdder connections = new LongAdder();
        final LongAdder grants = new LongAdder();
        final LongAdder refusals = new LongAdder();
        final LongAdder late = new LongAdder();
        final Map<String, LongAdder> unexpected = new ConcurrentHashMap<>();

        void unexpected(String what) {
            unexpected.computeIfAbsent(what, fresh -> new LongAdder()).increment();
        }
    }

    private static final Pattern LEASE = Pattern.compile("\"lease\":\\{\"id\":\"([^\"]+)\"");
    static final Pattern ID = Pattern.compile("\\{\"id\":\"([^\"]+)\"");
    private static final Pattern SESSION = Pattern.compile("\"session\":\"([^\"]+)\"");
    private static final int LOCKS = 300;
    private static final int KINDS = 6;
    private static final int MOST_TURNS = 5;
    private static final long ALIVE_MILLIS = 2_000;
    private static final int LONGEST_REST_MILLIS = 5_000;

    private final URI server;
    private final int number;
    private final long end;
    private final Random random;
    private final Tally tally;

    /**
     * A client.
     *
     * @param end the time of {@link System#nanoTime} at which it leaves for good
     */
    ReconnectingClient(URI server, int number, long end, Random random, Tally tally) {
        this.server = server;
        this.number = number;
        this.end = end;
        this.random = random;
        this.tally = tally;
    }

    @Override
    public void run() {
        try {
            Thread.sleep(random.nextInt(LONGEST_REST_MILLIS)); // so that not all connect at once
            while (System.nanoTime() - end < 0) {
                turn();
                Thread.sleep(random.nextInt(LONGEST_REST_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void turn() throws InterruptedException {
        tally.connections.increment();
        switch (random.nextInt(KINDS)) {
            case 0 -> play("a client of HTTP", this::http);
            case 1 -> play("a waiter that leaves", this::waiterThatLeaves);
            case 2 -> play("a reader of events", this::reader);
            case 3 -> play("a client of the node", this::node);
            case 4 -> play("a stranger", this::stranger);
            default -> play("a session", this::session);
        }
    }

    private void play(String who, Part part) throws InterruptedException {
        try {
            part.play();
        } catch (IOException e) {
            tally.unexpected(who + ": " + e);
        }
    }

    /** The work of a client on one connection. */
    private interface Part {

        void play() throws IOException, InterruptedException;
    }

    private Wire connect() throws IOException {
        return new Wire(server, ServerUnderTrial.SECRET, 1 + number % 4);
    }

    private String request(String wait) {
        return "\"lock\":\"soak:" + random.nextInt(LOCKS) + "\",\"ttl\":\"10s\",\"wait\":\"" + wait
                + "\",\"label\":\"client-" + number + "\"";
    }

    private void session() throws IOException, InterruptedException {
        long[] alive = {System.nanoTime()};
        try {
            session(alive);
        } catch (IOException e) {
            if (System.nanoTime() - alive[0] <= ReconnectTrial.GRACE.toNanos()) {
                throw e;
            }
            tally.late.increment(); // the server had to end the session
        }
    }

    /**
     * Plays a session.
     *
     * @param alive is set to when the client sent the last message that was answered, from which the session's grace counts
     */
    private void session(long[] alive) throws IOException, InterruptedException {
        Wire wire = connect();
        expect(101, wire.upgrade("/v1/session"), "a session");
        String id = group(SESSION, ask(wire, 1, "hello\"", alive));
        String answer = ask(wire, 2, "acquire\"," + request("1s"), alive);
        count(answer.contains("\"granted\""));
        stay(wire, alive);
        if (random.nextInt(4) == 0) { // it loses its connection and returns
            wire.reset();
            wire = connect();
            tally.connections.increment();
            expect(101, wire.upgrade("/v1/session"), "a session");
            long[] resumed = new long[1];
            if (ask(wire, 3, "hello\",\"session\":\"" + id + "\"", resumed).contains("\"problem\"")) {
                throw new IOException("a session could not be resumed");
            }
            alive[0] = resumed[0];
        }
        switch (random.nextInt(3)) {
            case 0 -> {
                ask(wire, 4, "bye\"", alive);
                wire.close();
            }
            case 1 -> wire.reset();
            default -> wire.close();
        }
    }

    /** Sends a message, and returns its answer. */
    private static String ask(Wire wire, int id, String operation, long[] alive) throws IOException {
        long sent = System.nanoTime();
        wire.send("{\"id\":" + id + ",\"op\":\"" + operation + "}");
        String answer = wire.receive("\"id\":" + id + ",");
        alive[0] = sent;
        return answer;
    }

    private void stay(Wire wire, long[] alive) throws IOException, InterruptedException {
        for (int i = random.nextInt(MOST_TURNS); i > 0; i--) {
            Thread.sleep(ALIVE_MILLIS);
            ask(wire, 9, "alive\"", alive);
        }
    }

    private void http() throws IOException, InterruptedException {
        try (Wire wire = connect()) {
            for (int i = random.nextInt(MOST_TURNS); i >= 0; i--) {
                Wire.Answer answer = wire.post("/v1/leases", "{" + request("1s") + "}");
                count(answer.status() == 201);
                if (answer.status() == 201) {
                    String lease = "/v1/leases/" + group(ID, answer.body());
                    Thread.sleep(random.nextInt((int) ALIVE_MILLIS));
                    expect(200, wire.post(lease + "/extend", "{}").status(), "an extension");
                    if (random.nextInt(4) > 0) { // else the lease ends at its ttl
                        expect(200, wire.post(lease + "/release", "{}").status(), "a release");
                    }
                }
            }
        }
    }

    private void waiterThatLeaves() throws IOException, InterruptedException {
        Wire wire = connect();
        wire.sendPost("/v1/leases", "{" + request("20s") + "}");
        Thread.sleep(random.nextInt((int) ALIVE_MILLIS));
        wire.reset();
    }

    private void reader() throws IOException {
        try (Wire wire = connect()) {
            expect(200, wire.follow("/v1/events?prefix=soak:" + random.nextInt(10)), "events");
            wire.patience(1 + random.nextInt(4 * (int) ALIVE_MILLIS));
            for (int i = 0; i < 100; i++) {
                wire.line();
            }
        } catch (SocketTimeoutException e) {
            // no event of these locks in this time
        }
    }

    private void node() throws IOException, InterruptedException {
        Wire wire = connect();
        expect(101, wire.upgrade("/v1/node"), "a node");
        wire.send("{\"id\":1,\"op\":\"hello\",\"protocol\":1,\"client\":\"trial@host~" + String.format("%012x", number)
                + "\"}\n{\"id\":2,\"op\":\"status\"}");
        wire.receive("\"id\":2");
        Thread.sleep(random.nextInt((int) ALIVE_MILLIS));
        if (random.nextBoolean()) {
            wire.reset();
        } else {
            wire.close();
        }
    }

    private void stranger() throws IOException {
        try (Wire wire = new Wire(server, random.nextBoolean() ? "" : "wrong-" + random.nextInt(), 5)) {
            expect(401, wire.upgrade(random.nextBoolean() ? "/v1/session" : "/v1/node"), "a stranger");
        }
    }

    private void count(boolean granted) {
        (granted ? tally.grants : tally.refusals).increment();
    }

    private void expect(int status, int answered, String what) {
        if (status != answered) {
            tally.unexpected(what + " was answered with " + answered + " instead of " + status);
        }
    }

    static String group(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("no " + pattern + " in " + text);
        }
        return matcher.group(1);
    }

    /** Returns the id of the lease in a session's answer. */
    static String lease(String granted) throws IOException {
        return group(LEASE, granted);
    }
}
