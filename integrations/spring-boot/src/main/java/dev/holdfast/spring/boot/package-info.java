/** Holdfast in a Spring Boot application: properties, connection details, and what they make. */
@NullMarked
package dev.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
