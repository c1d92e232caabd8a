package dev.holdfast.server.http;

import java.time.Duration;

/**
 * The settings for the web server's socket.
 *
 * @param port 0 for a free port
 * @param idleTimeout after how long the server closes a connection without traffic
 */
public record ListenOptions(String host, int port, Duration idleTimeout) {}
