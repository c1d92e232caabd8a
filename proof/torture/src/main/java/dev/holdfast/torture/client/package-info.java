/** A client process: workers that take locks, act under them, and write down what they do. */
@NullMarked
package dev.holdfast.torture.client;

import org.jspecify.annotations.NullMarked;
