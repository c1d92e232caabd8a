/**
 * The auto-configuration that Spring Boot 3.5 needs instead of the one for Spring Boot 4: the application's Redis, the health indicator, and the lock
 * registry of Spring Integration 6. On Spring Boot 4 none of it is active.
 */
@NullMarked
package dev.holdfast.spring.boot3;

import org.jspecify.annotations.NullMarked;
