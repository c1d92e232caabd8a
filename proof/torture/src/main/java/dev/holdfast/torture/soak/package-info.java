/** Hours of ordinary trouble on real servers, after which nothing may have grown. */
@NullMarked
package dev.holdfast.torture.soak;

import org.jspecify.annotations.NullMarked;
