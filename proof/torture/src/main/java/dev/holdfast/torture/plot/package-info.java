/** Measurements with real servers, drawn as charts. */
@NullMarked
package dev.holdfast.torture.plot;

import org.jspecify.annotations.NullMarked;
