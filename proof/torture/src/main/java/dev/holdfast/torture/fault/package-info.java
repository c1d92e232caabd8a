/** The faults, each in a class of its own. */
@NullMarked
package dev.holdfast.torture.fault;

import org.jspecify.annotations.NullMarked;
