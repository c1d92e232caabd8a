package dev.holdfast.node;

/** What a node says about a resource: its {@link ResourceState}, or that it can't. */
public sealed interface InspectAnswer permits ResourceState, Unavailable {}
