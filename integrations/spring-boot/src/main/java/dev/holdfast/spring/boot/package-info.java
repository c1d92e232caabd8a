/** The auto-configuration of Holdfast in a Spring Boot application, with its properties and connection details. */
@NullMarked
package dev.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
