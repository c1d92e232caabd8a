/** Hours of ordinary faults on real servers, without lasting growth of any resource. */
@NullMarked
package dev.holdfast.torture.soak;

import org.jspecify.annotations.NullMarked;
