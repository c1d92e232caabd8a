/** Measures with real servers, and draws what a picture says better than words. */
@NullMarked
package dev.holdfast.torture.plot;

import org.jspecify.annotations.NullMarked;
