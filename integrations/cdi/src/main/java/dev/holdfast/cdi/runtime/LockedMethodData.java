package dev.holdfast.cdi.runtime;

/** A locked method, with the settings that were read from its annotation and checked. */
public record LockedMethodData(MethodShape shape, LockSettings settings, TimeSettings times) {}
