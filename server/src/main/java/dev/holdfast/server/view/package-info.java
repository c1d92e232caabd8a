/** The views of locks and nodes for people, and the dashboard. */
@NullMarked
package dev.holdfast.server.view;

import org.jspecify.annotations.NullMarked;
