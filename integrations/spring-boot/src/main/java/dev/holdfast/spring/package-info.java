/**
 * What a Spring application writes at its beans: {@link dev.holdfast.spring.Locked} and {@link dev.holdfast.spring.LeaderOnly}, and what
 * goes with them.
 */
@NullMarked
package dev.holdfast.spring;

import org.jspecify.annotations.NullMarked;
