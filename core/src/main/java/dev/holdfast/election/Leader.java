package dev.holdfast.election;

import java.time.Instant;

/**
 * Who leads, as the nodes know it: for those who watch. It may have changed by the time one reads it.
 *
 * @param candidateName the candidate's name
 * @param term the number of the leadership, larger than that of every one before: its fencing token
 * @param since when it began, by the leader's wall clock
 * @param owner the id under which nodes and clients see the leader's lease: {@code client/attempt}
 */
public record Leader(String candidateName, long term, Instant since, String owner) {}
