/**
 * The web server: connections, routes, requests and their answers.
 */
@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
