/**
 * Leader elections: candidates wait in the queue of a lock, and its holder leads. {@link dev.holdfast.Holdfast#election} creates an election. A program that
 * wants to lead implements {@link dev.holdfast.election.Candidate}, and receives a {@link dev.holdfast.election.Leadership} for each of its terms.
 */
@NullMarked
package dev.holdfast.election;

import org.jspecify.annotations.NullMarked;
