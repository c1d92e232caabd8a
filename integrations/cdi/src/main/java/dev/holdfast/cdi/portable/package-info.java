/** The portable extension, which finds the locked methods of an application and adds its client. No part of the API. */
@NullMarked
package dev.holdfast.cdi.portable;

import org.jspecify.annotations.NullMarked;
