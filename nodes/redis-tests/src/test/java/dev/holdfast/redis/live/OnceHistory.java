package dev.holdfast.redis.live;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records of the workers of {@link OnceTest} and the violations that it must never contain. The times are those of one machine's monotonic clock. */
final class OnceHistory {

    static final String SUFFIX = ".history";

    /** The records of a worker, each at the time of the step. */
    enum Step {
        /** The work begins. */
        BEGAN,
        /** The work has been done, and the seal was not asked for yet. */
        ENDED,
        /** The guard has confirmed the seal. */
        SEALED,
        /** The guard has confirmed the seal, but the lease had ended before. */
        SEALED_LATE,
        /** The guard could not say whether the seal is kept; the message stays with its source. */
        UNSEALED,
        /** The guard told that the work had been done before. */
        ALREADY_DONE,
    }

    /** A line of a history. */
    record Entry(Step step, String message, String worker, long nanos) {

        static Entry parse(String line) {
            String[] words = line.split(" ", -1);
            if (words.length != 4) {
                throw new IllegalArgumentException("no line of a history: '" + line + "'");
            }
            return new Entry(Step.valueOf(words[0]), words[1], words[2], Long.parseLong(words[3]));
        }

        String line() {
            return step + " " + message + " " + worker + " " + nanos + "\n";
        }

        @Override
        public String toString() {
            return message + " " + step + " by " + worker + " at " + nanos;
        }
    }

    /** The steps of one message that the checks compare with each other. */
    private static final class Course {
        private final List<Entry> beginnings = new ArrayList<>();
        private final List<Entry> tellings = new ArrayList<>();
        private int ends;
        private long firstEnd = Long.MAX_VALUE;
        private Entry firstSeal;

        private void add(Entry entry) {
            switch (entry.step()) {
                case BEGAN -> beginnings.add(entry);
                case ENDED -> {
                    ends++;
                    firstEnd = Math.min(firstEnd, entry.nanos());
                }
                case SEALED, SEALED_LATE -> {
                    if (firstSeal == null || entry.nanos() < firstSeal.nanos()) {
                        firstSeal = entry;
                    }
                }
                case ALREADY_DONE -> tellings.add(entry);
                case UNSEALED -> {}
            }
        }
    }

    private final Map<String, Course> courses = new HashMap<>();
    private final Map<Step, Integer> counts = new HashMap<>();

    OnceHistory(Iterable<Entry> entries) {
        entries.forEach(this::add);
    }

    private void add(Entry entry) {
        courses.computeIfAbsent(entry.message(), message -> new Course()).add(entry);
        counts.merge(entry.step(), 1, Integer::sum);
    }

    /** Returns the histories of a folder. A process that was killed may have torn its last line: the step after it was never taken. */
    static OnceHistory read(Path folder) throws IOException {
        OnceHistory history = new OnceHistory(List.of());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                String text = Files.readString(file);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .map(Entry::parse)
                        .forEach(history::add);
            }
        }
        return history;
    }

    /**
     * Returns the violations, a line each. They are a message that no worker has done, one whose work began after a confirmed seal of it, one that was
     * reported done too early, and one that was never sent.
     */
    List<String> findings(Collection<String> sent) {
        List<String> findings = new ArrayList<>();
        Map<String, Course> unsent = new HashMap<>(courses);
        for (String message : sent) {
            Course course = unsent.remove(message);
            if (course == null || course.ends == 0) {
                findings.add(message + " is lost: nobody has done it");
            }
        }
        unsent.keySet().forEach(message -> findings.add(message + " was never sent"));
        courses.values().forEach(course -> {
            for (Entry began : course.beginnings) {
                if (course.firstSeal != null && began.nanos() > course.firstSeal.nanos()) {
                    findings.add(began + ", after " + course.firstSeal);
                }
            }
            for (Entry told : course.tellings) {
                if (course.firstEnd > told.nanos()) {
                    findings.add(told + ", before anybody had done it");
                }
            }
        });
        return findings;
    }

    /** How often a step was taken. */
    int count(Step step) {
        return counts.getOrDefault(step, 0);
    }

    /** How many messages were done more than once; each time but the last by a worker that died or lost its lease before the seal. */
    long doneTwice() {
        return courses.values().stream().filter(course -> course.ends > 1).count();
    }
}
