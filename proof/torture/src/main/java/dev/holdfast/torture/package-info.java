/** Real servers, real processes and real faults. */
@NullMarked
package dev.holdfast.torture;

import org.jspecify.annotations.NullMarked;
