/**
 * Leader elections: candidates wait in the queue of a lock, and its holder leads.
 * {@link dev.holdfast.Holdfast#election} is the way in; {@link dev.holdfast.election.Candidate} is what a program that wants to lead
 * implements, and {@link dev.holdfast.election.Leadership} what it has in hand while it does.
 */
@NullMarked
package dev.holdfast.election;

import org.jspecify.annotations.NullMarked;
