package dev.holdfast.server.client;

import dev.holdfast.node.ConnectFailure;
import dev.holdfast.node.Unavailable;
import dev.holdfast.time.RunningTimeout;
import dev.holdfast.time.Timer;
import dev.holdfast.time.Timing;
import java.lang.System.Logger.Level;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection from its first message to its end; a link never reconnects. Thread-safe.
 *
 * <p>Requests go out in the order of the calls. Requests that arrive while a frame is being written share the next frame. When the link ends, every unanswered
 * request completes with {@link Unavailable}. The link also ends when the server has been silent for too long, since a host that vanished sends no reset.
 */
final class RemoteLink implements WebSocket.Listener {

    /** The maximum number of requests that may wait for a server that is behind, as for a Redis node (docs/decisions/0039). A burst may be larger. */
    static final int MOST_WHILE_BEHIND = 10_000;

    private static final System.Logger LOG = System.getLogger(RemoteLink.class.getName());
    private static final int USUAL_FRAME_CHARS = 1 << 16;
    private static final long QUIET_NANOS = 10_000_000_000L;
    private static final long MOST_UNANSWERED_NANOS = 2 * QUIET_NANOS;
    private static final long LONGEST_FAREWELL_NANOS = 1_000_000_000L;

    private final Timing timing;
    private final long silenceNanos;
    private final Consumer<NodeMessage> onNotice;
    private final Consumer<String> onEnd;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Consumer<NodeMessage>> waiting = new ConcurrentHashMap<>();
    private final Queue<String> toSend = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean sending = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final StringBuilder received = new StringBuilder();
    private volatile @Nullable WebSocket socket;
    private volatile long heardNanos;
    private volatile @Nullable Timer look;
    private volatile boolean behind; // answers keep coming, but take longer than the allowed silence
    private long heardAtLook; // the timer uses this field and the next four
    private long askedAtLook;
    private boolean dueAtLook;
    private boolean expectedAtLook;
    private long unansweredNanos;

    /**
     * Creates a link that is not connected yet; the caller passes it as the listener of the new WebSocket.
     *
     * @param silenceNanos the connection ends after at most twice this time, in ns, without a message from the server while an answer is due
     * @param onNotice receives the messages that answer no request, in order
     * @param onEnd receives once the reason why the connection has ended, unless {@link #close} ended it
     */
    RemoteLink(Timing timing, long silenceNanos, Consumer<NodeMessage> onNotice, Consumer<String> onEnd) {
        this.timing = timing;
        this.silenceNanos = silenceNanos;
        this.onNotice = onNotice;
        this.onEnd = onEnd;
    }

    // ---- requests

    /**
     * Sends a request.
     *
     * @param reading converts the answer; receives no {@link NodeMessage.Failed} and no {@link NodeMessage.Refused}
     */
    <A> CompletionStage<A> ask(
            NodeRequest request, Function<NodeMessage, A> reading, Function<Unavailable, A> failing) {
        long id = ids.incrementAndGet();
        CompletableFuture<A> answer = new CompletableFuture<>();
        waiting.put(id, message -> answer.complete(answer(message, reading, failing)));
        toSend.add(new NodeRequest.Numbered(id, request).text());
        if (ended.get()) {
            endWaiting(new Unavailable("not connected", true));
        } else {
            sendAll();
        }
        return answer;
    }

    private static <A> A answer(
            NodeMessage message, Function<NodeMessage, A> reading, Function<Unavailable, A> failing) {
        if (message instanceof NodeMessage.Failed failed) {
            return failing.apply(failed.why());
        }
        if (message instanceof NodeMessage.Refused refused) {
            return failing.apply(new Unavailable("the server refuses: " + refused.reason(), false));
        }
        try {
            return reading.apply(message);
        } catch (ClassCastException e) {
            return failing.apply(new Unavailable("the server answered another request", true));
        } catch (RuntimeException | Error e) { // the caller waits for an answer, even for an error
            LOG.log(Level.ERROR, "An answer of the server could not be read", e);
            return failing.apply(new Unavailable("the server's answer can't be read: " + e, true));
        }
    }

    private void sendAll() {
        WebSocket out = socket;
        if (out == null || toSend.isEmpty() || !sending.compareAndSet(false, true)) {
            return;
        }
        String frame = nextFrame();
        if (frame.isEmpty()) {
            sending.set(false);
            sendAll();
            return;
        }
        out.sendText(frame, true).whenComplete((sent, failure) -> {
            sending.set(false);
            if (failure != null) {
                end("the connection has ended: " + ConnectFailure.words(failure));
            } else {
                sendAll();
                sayFarewell();
            }
        });
    }

    private String nextFrame() {
        String first = toSend.poll();
        if (first == null) {
            return "";
        }
        StringBuilder frame = new StringBuilder(first);
        for (String next = toSend.peek(); next != null && frame.length() < USUAL_FRAME_CHARS; next = toSend.peek()) {
            frame.append('\n').append(toSend.poll());
        }
        return frame.toString();
    }

    // ---- messages from the server

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        heardNanos = timing.ticker().nanos();
        opened.request(1);
        lookLater();
        if (ended.get()) {
            opened.abort();
        } else {
            sendAll();
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        heardNanos = timing.ticker().nanos();
        received.append(data);
        if (received.length() > NodeRequest.MOST_FRAME_CHARS) {
            end("the server sends a frame without end");
        } else if (last) {
            String frame = received.toString();
            received.setLength(0);
            frame.lines().forEach(this::hear);
        }
        from.request(1);
        return null;
    }

    private void hear(String line) {
        NodeMessage.Line heard;
        try {
            heard = NodeMessage.Line.parse(line);
        } catch (IllegalArgumentException e) {
            end("the server does not speak the protocol of a node: " + e.getMessage());
            return;
        }
        if (heard.id().isEmpty()) {
            onNotice.accept(heard.message());
        } else {
            Consumer<NodeMessage> asker = waiting.remove(heard.id().getAsLong());
            if (asker != null) {
                asker.accept(heard.message());
            }
        }
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        heardNanos = timing.ticker().nanos();
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        end(reason.isEmpty() ? "the server closed the connection" : "the server closed the connection: " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        end("the connection has ended: " + ConnectFailure.words(failure));
    }

    // ---- silence

    /** Schedules the next check for silence. While an answer is due, only the time in which this client runs counts. */
    private void lookLater() {
        look = expectedAtLook
                ? RunningTimeout.start(timing, silenceNanos, timing.scheduler()::execute, this::lookAtSilence)
                : timing.scheduler().schedule(silenceNanos, this::lookAtSilence);
    }

    /** Ends the link if an answer was already due at the last check and the server has been silent since. Also ends it if no ping is answered. */
    private void lookAtSilence() {
        WebSocket peer = socket;
        if (ended.get() || peer == null) {
            return;
        }
        long heard = heardNanos;
        boolean due = !waiting.isEmpty();
        boolean silentSinceLook = expectedAtLook && heard == heardAtLook;
        unansweredNanos = silentSinceLook ? unansweredNanos + silenceNanos : 0;
        if (unansweredNanos >= MOST_UNANSWERED_NANOS || (silentSinceLook && due && dueAtLook)) {
            end("no answer for " + (due && dueAtLook ? silenceNanos : unansweredNanos) / 1_000_000 + " ms");
            return;
        }
        behind = expectedAtLook && waiting.keySet().stream().anyMatch(id -> id <= askedAtLook);
        boolean quiet = timing.ticker().nanos() - heard >= QUIET_NANOS;
        askedAtLook = ids.get();
        dueAtLook = due;
        heardAtLook = heard;
        expectedAtLook = due || quiet;
        if (quiet) {
            peer.sendPing(ByteBuffer.allocate(0)).exceptionally(failure -> {
                end("the connection has ended: " + ConnectFailure.words(failure));
                return peer;
            });
        }
        lookLater();
    }

    /**
     * Returns why the server gets no new acquires; null if it does. Callers that time out retry while their earlier requests are still unanswered. Without this
     * limit, the requests to a slow server would fill the memory.
     */
    @Nullable
    String overload() {
        if (!behind) {
            return null;
        }
        int unanswered = waiting.size();
        return unanswered >= MOST_WHILE_BEHIND
                ? "the server is behind: " + unanswered + " requests are unanswered, the first for more than "
                        + silenceNanos / 1_000_000 + " ms"
                : null;
    }

    // ---- the end

    boolean isOpen() {
        return !ended.get();
    }

    private void end(String reason) {
        if (leave(new Unavailable(reason, true))) {
            abort();
            onEnd.accept(reason);
        }
    }

    /** Ends the connection without notifying the listener, as soon as all earlier requests have been sent. */
    void close() {
        if (leave(new Unavailable("closed", true))) {
            timing.scheduler().schedule(LONGEST_FAREWELL_NANOS, this::abort);
            sendAll();
            sayFarewell();
        }
    }

    /** Closes the WebSocket once nothing is left to send. */
    private void sayFarewell() {
        WebSocket open = socket;
        if (open != null && ended.get() && toSend.isEmpty() && sending.compareAndSet(false, true)) {
            open.sendClose(WebSocket.NORMAL_CLOSURE, "").whenComplete((sent, failure) -> open.abort());
        }
    }

    private void abort() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }

    private boolean leave(Unavailable why) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        Timer next = look;
        if (next != null) {
            next.cancel();
        }
        endWaiting(why);
        return true;
    }

    private void endWaiting(Unavailable why) {
        for (Long id : List.copyOf(waiting.keySet())) {
            Consumer<NodeMessage> asker = waiting.remove(id);
            if (asker != null) {
                asker.accept(new NodeMessage.Failed(why));
            }
        }
    }
}
