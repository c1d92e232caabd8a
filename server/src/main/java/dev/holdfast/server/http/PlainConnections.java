package dev.holdfast.server.http;

import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * The HTTP/1.1 connections of the server. A malformed escape in a path is no reason to close a connection, since the end of the request is known. Jetty has no
 * setting for that: it would answer without regard to the method, and close the connection.
 */
final class PlainConnections extends HttpConnectionFactory {

    /** The path that requests with a malformed path have for the rest of the server. */
    static final String MALFORMED = "/%25malformed";

    PlainConnections(HttpConfiguration configuration) {
        super(configuration);
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        HttpConnection connection = new HttpConnection(getHttpConfiguration(), connector, endPoint) {
            @Override
            protected HttpStreamOverHTTP1 newHttpStream(String method, String uri, HttpVersion version) {
                return super.newHttpStream(method, readable(method, uri), version);
            }
        };
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    private static String readable(String method, String uri) {
        if (uri.indexOf('%') >= 0) {
            try {
                HttpURI.build(method, uri);
            } catch (IllegalArgumentException e) {
                return MALFORMED;
            }
        }
        return uri;
    }
}
