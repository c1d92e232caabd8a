package dev.holdfast.quarkus.runtime;

/** A locked method, with the settings that the build read from its annotation and checked. */
public record LockedMethodData(MethodShape shape, LockSettings settings, TimeSettings times) {}
