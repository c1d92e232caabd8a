/**
 * The operators' view of an application's locks: {@link dev.holdfast.spring.actuate.HoldfastHealthIndicator}, {@link
 * dev.holdfast.spring.actuate.HoldfastEndpoint}.
 */
@NullMarked
package dev.holdfast.spring.actuate;

import org.jspecify.annotations.NullMarked;
