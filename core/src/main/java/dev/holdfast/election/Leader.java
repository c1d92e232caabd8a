package dev.holdfast.election;

import java.time.Instant;

/**
 * The leader of an election, as the nodes know it. The leader may have changed by the time the caller reads this.
 *
 * @param candidateName the name of the candidate that leads
 * @param term the number of the leadership, larger than that of every one before: its fencing token
 * @param since when the leadership began, by the leader's wall clock
 * @param owner the id under which nodes and clients see the leader's lease: {@code client/attempt}
 */
public record Leader(String candidateName, long term, Instant since, String owner) {}
