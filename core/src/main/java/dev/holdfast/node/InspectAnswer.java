package dev.holdfast.node;

/** The answer of a node to a question about a resource: its {@link ResourceState}, or {@link Unavailable}. */
public sealed interface InspectAnswer permits ResourceState, Unavailable {}
