package dev.holdfast.server;

import java.time.Duration;

/**
 * Where the web server listens.
 *
 * @param port 0 for one that is free
 * @param idleTimeout after how long it closes a connection on which nothing happens
 */
record ListenOptions(String host, int port, Duration idleTimeout) {}
