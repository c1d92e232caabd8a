package dev.holdfast.redis.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The records of the workers of an election, in the order of time. */
final class ElectionHistory {

    /**
     * Something that a worker told.
     *
     * @param rest what follows the term
     */
    record Event(long nanos, String worker, String kind, long term, String rest) {}

    /** From the first look that certainly said yes to the last one. */
    record Belief(long term, long fromNanos, long toNanos) {}

    private final Path folder;
    private final List<String> workers;

    ElectionHistory(Path folder, List<String> workers) {
        this.folder = folder;
        this.workers = workers;
    }

    List<Event> events() {
        List<Event> events = new ArrayList<>();
        for (String worker : workers) {
            for (String line : lines(ElectionWorker.events(folder, worker))) {
                String[] words = line.split(" ", 4);
                boolean ofTerm = words.length > 2 && !words[1].equals("error");
                events.add(new Event(
                        Long.parseLong(words[0]),
                        worker,
                        words[1],
                        ofTerm ? Long.parseLong(words[2]) : 0,
                        words.length > 3 ? words[3] : ""));
            }
        }
        events.sort(Comparator.comparingLong(Event::nanos));
        return events;
    }

    List<Event> events(String kind) {
        return events().stream().filter(event -> event.kind().equals(kind)).toList();
    }

    /** The candidate that was elected last. */
    Optional<Event> leader() {
        return events("elected").stream().max(Comparator.comparingLong(Event::term));
    }

    /** In the order in which they began. */
    List<Belief> beliefs() {
        Map<Long, Belief> byTerm = new TreeMap<>();
        for (String worker : workers) {
            for (String line : lines(ElectionWorker.beliefs(folder, worker))) {
                String[] words = line.split(" ");
                Belief look = new Belief(Long.parseLong(words[0]), Long.parseLong(words[2]), Long.parseLong(words[1]));
                byTerm.merge(
                        look.term(), look, (before, now) -> new Belief(now.term(), before.fromNanos(), now.toNanos()));
            }
        }
        return byTerm.values().stream()
                .sorted(Comparator.comparingLong(Belief::fromNanos))
                .toList();
    }

    /** Whole lines only: the last one may be half written. */
    private static List<String> lines(Path file) {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
