/**
 * The server's certificate and key, read from PEM files.
 */
@NullMarked
package dev.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
