/**
 * What people see of locks and nodes, and the dashboard.
 */
@NullMarked
package dev.holdfast.server.view;

import org.jspecify.annotations.NullMarked;
