package dev.holdfast.server.http;

import java.time.Duration;

/**
 * Where the web server listens.
 *
 * @param port 0 for one that is free
 * @param idleTimeout after how long it closes a connection on which nothing happens
 */
public record ListenOptions(String host, int port, Duration idleTimeout) {}
