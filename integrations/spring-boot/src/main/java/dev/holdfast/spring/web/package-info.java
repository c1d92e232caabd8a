/** The mapping of lock exceptions to HTTP responses. */
@NullMarked
package dev.holdfast.spring.web;

import org.jspecify.annotations.NullMarked;
