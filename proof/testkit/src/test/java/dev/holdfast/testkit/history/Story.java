package dev.holdfast.testkit.history;

import dev.holdfast.lock.LockMode;
import java.util.ArrayList;
import java.util.List;

/** Writes a history as a test tells it, in seconds. */
final class Story {

    static final long SECOND = 1_000_000_000;

    final List<Event> events = new ArrayList<>();
    private long attempts;

    /** One attempt, told in order. */
    final class Teller {

        private final AttemptId who;

        private Teller(AttemptId who) {
            this.who = who;
        }

        Teller asked(double at) {
            events.add(new Event.Asked(nanos(at), who));
            return this;
        }

        Teller queued(double at) {
            events.add(new Event.Queued(nanos(at), who));
            return this;
        }

        Teller together(double at) {
            events.add(new Event.Together(nanos(at), who));
            return this;
        }

        Teller oneOf(double at, long permits) {
            events.add(new Event.OneOf(nanos(at), who, permits));
            return this;
        }

        Teller sealed(double at, double until) {
            events.add(new Event.Sealed(nanos(at), who, nanos(until)));
            return this;
        }

        Teller got(double at, long token, double until) {
            events.add(new Event.Got(nanos(at), who, token, nanos(until)));
            return this;
        }

        Teller extended(double at, double until) {
            events.add(new Event.Extended(nanos(at), who, nanos(until)));
            return this;
        }

        Teller wrote(double at, ResourceCopy row, long version, long value) {
            events.add(new Event.Wrote(nanos(at), who, row, version, value));
            return this;
        }

        Teller refused(double at) {
            events.add(new Event.Refused(nanos(at), who));
            return this;
        }

        Teller releasing(double at) {
            events.add(new Event.Releasing(nanos(at), who));
            return this;
        }

        Teller released(double at) {
            events.add(new Event.Released(nanos(at), who));
            return this;
        }

        Teller taken(double at) {
            events.add(new Event.Taken(nanos(at), who));
            return this;
        }

        Teller read(double at, long token, long number) {
            events.add(new Event.Read(nanos(at), who, token, number));
            return this;
        }

        Teller writing(double at, long number) {
            events.add(new Event.Writing(nanos(at), who, number));
            return this;
        }

        Teller written(double at, long number) {
            events.add(new Event.Written(nanos(at), who, number));
            return this;
        }

        Teller lost(double at) {
            events.add(new Event.Lost(nanos(at), who));
            return this;
        }

        Teller gaveUp(double at) {
            events.add(new Event.GaveUp(nanos(at), who));
            return this;
        }
    }

    Teller ex(String client) {
        return attempt(client, LockMode.EX);
    }

    Teller attempt(String client, LockMode mode) {
        return new Teller(new AttemptId(client, ++attempts, "lock", mode));
    }

    Teller permit(String client, double at, long permits) {
        return attempt(client, LockMode.NL).asked(at).oneOf(at, permits);
    }

    void looked(double asked, double at, Long... tokens) {
        AttemptId who = new AttemptId("eye", ++attempts, "lock", LockMode.NL);
        events.add(new Event.Looked(nanos(at), who, nanos(asked), List.of(tokens)));
    }

    void killed(double at, String client) {
        events.add(new Event.Killed(nanos(at), client));
    }

    void left(double at, String key) {
        events.add(new Event.Left(nanos(at), "node", key));
    }

    HistoryReport checked() {
        return HistoryChecker.check(events, java.time.Duration.ofSeconds(3));
    }

    static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }
}
