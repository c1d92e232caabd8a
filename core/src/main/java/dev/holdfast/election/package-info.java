/**
 * Leader election: candidates stand in line for the lock of an election's name, and whoever holds it leads.
 * {@link dev.holdfast.Holdfast#election} is the way in; {@link dev.holdfast.election.Candidate} is what a program that wants to lead
 * implements, and {@link dev.holdfast.election.Leadership} what it has in hand while it does.
 */
@NullMarked
package dev.holdfast.election;

import org.jspecify.annotations.NullMarked;
