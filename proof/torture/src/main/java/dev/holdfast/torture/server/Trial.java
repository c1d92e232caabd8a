package dev.holdfast.torture.server;

import java.io.IOException;

/** A trial of lock servers. */
interface Trial {

    /** Runs the trial, and reports figures and violations. */
    void run(TrialSettings settings, TrialReport report) throws IOException, InterruptedException;
}
