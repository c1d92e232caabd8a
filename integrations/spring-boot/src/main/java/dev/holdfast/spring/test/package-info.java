/** Support for tests of applications: {@link dev.holdfast.spring.test.ApplicationNodes} names the nodes of the application under test. */
@NullMarked
package dev.holdfast.spring.test;

import org.jspecify.annotations.NullMarked;
