package dev.holdfast.server.http;

import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Problem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A handler that reads the body of a request before any other part sees the request. No thread waits for a body. For a body that arrives slowly, the
 * server keeps only its bytes. The server returns each buffer at once, since a buffer is larger than a whole body.
 */
final class WholeRequests extends Handler.Abstract {

    private static final int USUAL_BODY_BYTES = 256;
    private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

    private final Connections connections;
    private final Consumer<Exchange> next;

    /** Creates a handler that passes each request to {@code next} once its body has arrived. */
    WholeRequests(Connections connections, Consumer<Exchange> next) {
        this.connections = connections;
        this.next = next;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (hasUnknownCoding(request)) {
            refuse(request, response, callback, Problem.Kind.NOT_IMPLEMENTED);
        } else if (request.getLength() > Body.MOST_BODY_BYTES) {
            refuse(request, response, callback, Problem.Kind.TOO_LARGE);
        } else if (request.getLength() == 0) {
            pass(new Exchange(connections, request, response, callback, NO_BODY));
        } else {
            new BodyReader(request, response, callback).read();
        }
        return true;
    }

    /** Returns whether the body has another transfer coding than chunked, which the web server would ignore (RFC 9112 §6.1). */
    private static boolean hasUnknownCoding(Request request) {
        return request.getHeaders().getCSV(HttpHeader.TRANSFER_ENCODING, false).stream()
                .anyMatch(coding -> !coding.equalsIgnoreCase("chunked"));
    }

    /** Rejects the request. The server does not read the rest of the body, so the connection can't be reused. */
    private static void refuse(Request request, Response response, Callback callback, Problem.Kind kind) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        Response.writeError(request, response, callback, kind.status);
    }

    private void pass(Exchange exchange) {
        connections.markBusy(exchange.connection());
        Request.addCompletionListener(exchange.request, failure -> connections.markSilent(exchange.connection()));
        next.accept(exchange);
    }

    /** The reader of one body. Jetty calls it on one thread at a time. */
    private final class BodyReader {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private byte[] bytes = new byte[USUAL_BODY_BYTES];
        private int length;

        BodyReader(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        void read() {
            while (true) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this::read);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    fail(chunk.getFailure());
                    return;
                }
                boolean fits = add(chunk.getByteBuffer());
                boolean last = chunk.isLast();
                chunk.release();
                if (!fits) {
                    refuse(request, response, callback, Problem.Kind.TOO_LARGE);
                    return;
                }
                if (last) {
                    pass(new Exchange(connections, request, response, callback, ByteBuffer.wrap(bytes, 0, length)));
                    return;
                }
            }
        }

        /** Ends the request, since the body is not valid HTTP or late, or the server stops. If the client has disconnected, it reads no answer. */
        private void fail(Throwable failure) {
            Response.writeError(request, response, callback, status(failure));
        }

        private static int status(Throwable failure) {
            if (failure instanceof HttpException refused) {
                return refused.getCode();
            }
            return failure instanceof TimeoutException ? HttpStatus.REQUEST_TIMEOUT_408 : Problem.Kind.STOPPING.status;
        }

        private boolean add(ByteBuffer more) {
            int whole = length + more.remaining();
            if (whole > Body.MOST_BODY_BYTES) {
                return false;
            }
            if (whole > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(Math.max(2 * bytes.length, whole), Body.MOST_BODY_BYTES));
            }
            more.get(bytes, length, more.remaining());
            length = whole;
            return true;
        }
    }
}
