package dev.holdfast.internal.lease;

import dev.holdfast.lock.Waiting;
import java.util.function.Consumer;

/** The observer of a candidate's wait. It marks the attempt as one that lasts for as long as another candidate leads. */
public interface Standby extends Consumer<Waiting> {}
