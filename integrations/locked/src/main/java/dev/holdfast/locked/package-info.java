/**
 * The parts of locked methods that the integrations for Spring and for CDI share. They contain no class of either, and are public only for these
 * integrations.
 */
@NullMarked
package dev.holdfast.locked;

import org.jspecify.annotations.NullMarked;
