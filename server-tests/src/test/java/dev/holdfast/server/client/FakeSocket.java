package dev.holdfast.server.client;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The client's end of a WebSocket without a server: keeps what is sent, and completes a send when the test says so. */
final class FakeSocket implements WebSocket {

    final List<String> frames = new ArrayList<>();
    final List<CompletableFuture<WebSocket>> unsent = new ArrayList<>();
    boolean sendsAtOnce = true;
    int pings;
    boolean closeSent;
    boolean aborted;

    /** The last send is done. */
    void sent() {
        unsent.remove(0).complete(this);
    }

    /** The requests of a frame, a line each. */
    static List<NodeRequest.Numbered> requests(String frame) {
        return frame.lines().map(NodeRequest.Numbered::parse).toList();
    }

    @Override
    public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
        frames.add(data.toString());
        return send();
    }

    private CompletableFuture<WebSocket> send() {
        if (sendsAtOnce) {
            return CompletableFuture.completedFuture(this);
        }
        CompletableFuture<WebSocket> sending = new CompletableFuture<>();
        unsent.add(sending);
        return sending;
    }

    @Override
    public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
        throw new UnsupportedOperationException("the protocol has text frames only");
    }

    @Override
    public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
        pings++;
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public CompletableFuture<WebSocket> sendClose(int statusCode, String reason) {
        closeSent = true;
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void request(long n) {}

    @Override
    public String getSubprotocol() {
        return "";
    }

    @Override
    public boolean isOutputClosed() {
        return aborted || closeSent;
    }

    @Override
    public boolean isInputClosed() {
        return aborted;
    }

    @Override
    public void abort() {
        aborted = true;
    }
}
