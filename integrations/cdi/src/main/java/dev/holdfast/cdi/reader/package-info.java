/**
 * The rules for locked methods, by their class files: which methods can keep their promise, and which types a key may have. The portable extension and the
 * build steps of Quarkus apply them. The types are public only for these two, and no part of the API.
 */
@NullMarked
package dev.holdfast.cdi.reader;

import org.jspecify.annotations.NullMarked;
