package dev.holdfast.server.http;

import org.eclipse.jetty.ee10.servlet.SessionHandler;
import org.eclipse.jetty.session.NullSessionCache;
import org.eclipse.jetty.session.NullSessionDataStore;

/**
 * Keeps no servlet session, and sets no cookie. Javalin asks for the session of every request that wants to open a WebSocket, before the
 * {@link Authorizer} has seen it. Jetty would keep each of them for as long as the server runs.
 */
final class NoServletSessions extends SessionHandler {

    NoServletSessions() {
        NullSessionCache cache = new NullSessionCache(this); // the session ends with its request
        cache.setSessionDataStore(new NullSessionDataStore());
        setSessionCache(cache);
        setUsingCookies(false);
        setUsingUriParameters(false);
    }
}
