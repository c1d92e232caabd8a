package dev.holdfast.server.http;

import dev.holdfast.server.message.Body;
import dev.holdfast.server.message.Problem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request through when all of it is there. No thread waits for a body, and of one that drips in no more is kept than its own bytes: the
 * buffers that they came in, each larger than all of a body, go back at once.
 */
final class WholeRequests extends Handler.Wrapper {

    private static final int USUAL_BODY_BYTES = 256;

    private final Connections connections;

    WholeRequests(Connections connections) {
        this.connections = connections;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (request.getLength() > Body.MOST_BODY_BYTES) {
            refuse(request, response, callback);
            return true;
        }
        if (request.getLength() == 0) {
            return answer(request, response, callback);
        }
        new BodyReader(request, response, callback).read();
        return true;
    }

    /** The rest of it is not read, so the connection is of no more use. */
    private static void refuse(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        Response.writeError(request, response, callback, Problem.Kind.TOO_LARGE.status);
    }

    private boolean answer(Request request, Response response, Callback callback) throws Exception {
        EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
        connections.isBusy(connection);
        Request.addCompletionListener(request, failure -> connections.isSilent(connection));
        return super.handle(request, response, callback);
    }

    /** What has come of a body. Jetty's calls come one after the other. */
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
                boolean fits = take(chunk.getByteBuffer());
                boolean last = chunk.isLast();
                chunk.release();
                if (!fits) {
                    refuse(request, response, callback);
                    return;
                }
                if (last) {
                    pass();
                    return;
                }
            }
        }

        /** It is no HTTP, or the client has gone. */
        private void fail(Throwable failure) {
            if (failure instanceof HttpException refused) {
                Response.writeError(request, response, callback, refused.getCode());
            } else {
                Response.writeError(request, response, callback, Problem.Kind.BAD_REQUEST.status);
            }
        }

        private boolean take(ByteBuffer more) {
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

        private void pass() {
            try {
                if (!answer(new BufferedRequest(request, bytes, length), response, callback)) {
                    Response.writeError(request, response, callback, Problem.Kind.NOT_FOUND.status);
                }
            } catch (Exception e) {
                Response.writeError(request, response, callback, e);
            }
        }
    }

    /** A request whose body is in memory. */
    private static final class BufferedRequest extends Request.Wrapper {

        private Content.@Nullable Chunk body;

        BufferedRequest(Request request, byte[] bytes, int length) {
            super(request);
            this.body = Content.Chunk.from(ByteBuffer.wrap(bytes, 0, length), true);
        }

        @Override
        public synchronized Content.Chunk read() {
            Content.Chunk next = body == null ? Content.Chunk.EOF : body;
            body = null;
            return next;
        }

        @Override
        public void demand(Runnable whenThere) {
            whenThere.run();
        }
    }
}
