package dev.holdfast.testkit.history;

import dev.holdfast.lock.LockMode;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The text of an event as one line: the time, the kind, the names in URL encoding, and numbers. */
final class EventText {

    private static final String ONE_OF = "one-of";
    private static final String LOOKED = "looked";
    private static final String GUARDED = "wrote-guarded";
    private static final String UNGUARDED = "wrote-unguarded";
    private static final Map<Class<? extends Event.OfAttempt>, String> WORDS = Map.ofEntries(
            Map.entry(Event.Asked.class, "asked"),
            Map.entry(Event.Queued.class, "queued"),
            Map.entry(Event.Got.class, "got"),
            Map.entry(Event.Extended.class, "extended"),
            Map.entry(Event.Refused.class, "refused"),
            Map.entry(Event.Releasing.class, "releasing"),
            Map.entry(Event.Released.class, "released"),
            Map.entry(Event.Taken.class, "taken"),
            Map.entry(Event.Lost.class, "lost"),
            Map.entry(Event.GaveUp.class, "gave-up"),
            Map.entry(Event.Together.class, "together"),
            Map.entry(Event.OneOf.class, ONE_OF),
            Map.entry(Event.Read.class, "read"),
            Map.entry(Event.Writing.class, "writing"),
            Map.entry(Event.Written.class, "written"),
            Map.entry(Event.Looked.class, LOOKED),
            Map.entry(Event.Sealed.class, "sealed"));
    private static final int WORDS_BEFORE_NUMBERS = 6;

    private EventText() {}

    static String line(Event event) {
        if (event instanceof Event.OfAttempt ofAttempt) {
            AttemptId who = ofAttempt.who();
            String rest = numbers(ofAttempt);
            return words(
                            event.nanos(),
                            word(ofAttempt),
                            coded(who.client()),
                            who.attempt(),
                            coded(who.lock()),
                            who.mode())
                    + (rest.isEmpty() ? "" : " " + rest);
        }
        return event instanceof Event.Killed killed
                ? words(killed.nanos(), "killed", coded(killed.client()))
                : left((Event.Left) event);
    }

    private static String left(Event.Left left) {
        return words(left.nanos(), "left", coded(left.node()), coded(left.key()));
    }

    private static String word(Event.OfAttempt event) {
        if (event instanceof Event.Wrote wrote) {
            return wrote.row() == ResourceCopy.GUARDED ? GUARDED : UNGUARDED;
        }
        return Objects.requireNonNull(WORDS.get(event.getClass()));
    }

    private static String numbers(Event.OfAttempt event) {
        if (event instanceof Event.Got got) {
            return words(got.token(), got.validUntilNanos());
        } else if (event instanceof Event.Extended extended) {
            return words(extended.validUntilNanos());
        } else if (event instanceof Event.OneOf oneOf) {
            return words(oneOf.permits());
        } else if (event instanceof Event.Sealed sealed) {
            return words(sealed.untilNanos());
        } else if (event instanceof Event.Wrote wrote) {
            return words(wrote.version(), wrote.value());
        } else if (event instanceof Event.Read read) {
            return words(read.token(), read.number());
        } else if (event instanceof Event.Writing writing) {
            return words(writing.number());
        } else if (event instanceof Event.Written written) {
            return words(written.number());
        } else if (event instanceof Event.Looked looked) {
            return Stream.concat(Stream.of(looked.askedNanos()), looked.tokens().stream())
                    .map(String::valueOf)
                    .collect(Collectors.joining(" "));
        }
        return "";
    }

    /**
     * Returns the event of a line.
     *
     * @throws IllegalArgumentException if the line is not an event
     */
    static Event event(String line) {
        String[] words = line.split(" ", -1);
        if (words.length < 3) {
            throw new IllegalArgumentException("no event: '" + line + "'");
        }
        long nanos = Long.parseLong(words[0]);
        return switch (words[1]) {
            case "killed" -> new Event.Killed(nanos, decoded(counted(words, 3)[2]));
            case "left" -> new Event.Left(nanos, decoded(counted(words, 4)[2]), decoded(words[3]));
            default -> ofAttempt(nanos, words);
        };
    }

    private static Event ofAttempt(long nanos, String[] words) {
        return switch (words[1]) {
            case "asked" -> new Event.Asked(nanos, who(words, 0));
            case "together" -> new Event.Together(nanos, who(words, 0));
            case ONE_OF -> new Event.OneOf(nanos, who(words, 1), number(words, 0));
            case "sealed" -> new Event.Sealed(nanos, who(words, 1), number(words, 0));
            case "queued" -> new Event.Queued(nanos, who(words, 0));
            case "got" -> new Event.Got(nanos, who(words, 2), number(words, 0), number(words, 1));
            case "extended" -> new Event.Extended(nanos, who(words, 1), number(words, 0));
            case GUARDED ->
                new Event.Wrote(nanos, who(words, 2), ResourceCopy.GUARDED, number(words, 0), number(words, 1));
            case UNGUARDED ->
                new Event.Wrote(nanos, who(words, 2), ResourceCopy.UNGUARDED, number(words, 0), number(words, 1));
            case "refused" -> new Event.Refused(nanos, who(words, 0));
            case "releasing" -> new Event.Releasing(nanos, who(words, 0));
            case "released" -> new Event.Released(nanos, who(words, 0));
            case "taken" -> new Event.Taken(nanos, who(words, 0));
            case "read" -> new Event.Read(nanos, who(words, 2), number(words, 0), number(words, 1));
            case "writing" -> new Event.Writing(nanos, who(words, 1), number(words, 0));
            case "written" -> new Event.Written(nanos, who(words, 1), number(words, 0));
            case LOOKED -> looked(nanos, words);
            case "lost" -> new Event.Lost(nanos, who(words, 0));
            case "gave-up" -> new Event.GaveUp(nanos, who(words, 0));
            default -> throw new IllegalArgumentException("nothing known is called '" + words[1] + "'");
        };
    }

    private static Event looked(long nanos, String[] words) {
        int numbers = Math.max(words.length - WORDS_BEFORE_NUMBERS, 1);
        AttemptId who = who(words, numbers);
        List<Long> tokens =
                IntStream.range(1, numbers).mapToObj(i -> number(words, i)).toList();
        return new Event.Looked(nanos, who, number(words, 0), tokens);
    }

    private static AttemptId who(String[] words, int numbers) {
        counted(words, WORDS_BEFORE_NUMBERS + numbers);
        return new AttemptId(
                decoded(words[2]), Long.parseLong(words[3]), decoded(words[4]), LockMode.valueOf(words[5]));
    }

    private static long number(String[] words, int index) {
        return Long.parseLong(words[WORDS_BEFORE_NUMBERS + index]);
    }

    private static String[] counted(String[] words, int count) {
        if (words.length != count) {
            throw new IllegalArgumentException(
                    "'" + words[1] + "' has " + count + " words, not " + words.length + ": " + Arrays.toString(words));
        }
        return words;
    }

    private static String words(Object... words) {
        return Stream.of(words).map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static String coded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static String decoded(String word) {
        return URLDecoder.decode(word, StandardCharsets.UTF_8);
    }
}
