package dev.holdfast.server.http;

import dev.holdfast.server.message.Answer;
import dev.holdfast.server.message.Headers;
import dev.holdfast.server.message.Problem;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The answers to requests that the web server itself rejects before any code of this server runs. They have the same form as all other problems, and
 * contain none of the web server's own text.
 */
final class ProblemErrors extends ErrorHandler {

    private final boolean secure;

    /** Creates the handler of a server with or without TLS. A request that could not be read does not say over what it came. */
    ProblemErrors(boolean secure) {
        this.secure = secure;
    }

    /** Returns true for every method. The web server's own handler gives no body to errors of some methods, such as PUT and the preface of HTTP/2. */
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        Answer answer = Problem.ofStatus(code).answer();
        response.setStatus(answer.status());
        response.getHeaders()
                .put(HttpHeader.CONNECTION, "close"); // the web server may not read on after such a request
        Headers.of(secure).forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        boolean isHead = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, isHead ? ByteBuffer.allocate(0) : answer.body(), callback);
    }
}
