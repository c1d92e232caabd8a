package dev.holdfast.spring.aspect;

import dev.holdfast.Holdfast;
import dev.holdfast.election.Candidacy;
import dev.holdfast.observe.ClientObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.context.SmartLifecycle;

/**
 * The elections in which this application is a candidate, from the start of the context to its stop. The candidacies end after all beans that may
 * call the methods have stopped. Thread-safe.
 */
public final class Elections implements SmartLifecycle {

    /** The phase, in which candidacies begin before schedulers and web servers start, and end after they have stopped. */
    private static final int PHASE = Integer.MIN_VALUE + 1_000;

    private final Supplier<Holdfast> holdfast;
    private final Supplier<Stream<ClientObserver>> observers;
    private final SkippedCalls skipped;
    private final Map<String, LeadingCalls> candidates = new ConcurrentHashMap<>();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private boolean running;

    /**
     * Creates elections without candidates.
     *
     * @param observers the observers of the client, which learn of lost leaderships
     */
    public Elections(Supplier<Holdfast> holdfast, Supplier<Stream<ClientObserver>> observers, SkippedCalls skipped) {
        this.holdfast = holdfast;
        this.observers = observers;
        this.skipped = skipped;
    }

    /** Returns the candidate for this election. It stands from now on, or from the start of the context if that is later. */
    LeadingCalls candidate(String election) {
        LeadingCalls known = candidates.get(election);
        return known != null ? known : add(election);
    }

    private synchronized LeadingCalls add(String election) {
        LeadingCalls known = candidates.get(election);
        if (known != null) {
            return known;
        }
        LeadingCalls made = new LeadingCalls(election, observers, skipped);
        if (running) {
            candidacies.add(holdfast.get().election(election).stand(made));
        }
        candidates.put(election, made);
        return made;
    }

    @Override
    public synchronized void start() {
        if (!running) {
            candidates.forEach((election, candidate) ->
                    candidacies.add(holdfast.get().election(election).stand(candidate)));
            running = true;
        }
    }

    /** Ends all candidacies. Running calls have one ttl to end; then the locks are released, and the rest of the calls are interrupted. */
    @Override
    public synchronized void stop() {
        running = false;
        candidacies.forEach(Candidacy::closeAsync);
        candidacies.forEach(Candidacy::close);
        candidacies.clear();
        candidates.values().forEach(LeadingCalls::interruptOthers);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
