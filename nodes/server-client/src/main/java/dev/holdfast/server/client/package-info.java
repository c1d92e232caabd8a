/**
 * A lock node that is a Holdfast server, {@code holdfast://host:7420}: the node of PROTOCOL §3 over a WebSocket, with pushes.
 *
 * <p>{@link dev.holdfast.server.client.RemoteNodeProvider} opens such nodes; {@link dev.holdfast.server.client.NodeRequest} and
 * {@link dev.holdfast.server.client.NodeMessage} are the messages between the two ends, as JSON. The module {@code server} contains the server's end.
 */
@NullMarked
package dev.holdfast.server.client;

import org.jspecify.annotations.NullMarked;
