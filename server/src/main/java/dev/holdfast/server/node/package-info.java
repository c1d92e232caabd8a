/** The server as a node of other clients, and a watch of the nodes that it locks on. */
@NullMarked
package dev.holdfast.server.node;

import org.jspecify.annotations.NullMarked;
