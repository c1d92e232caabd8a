package dev.holdfast.benchmarks.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * A profile of other work by Flight Recorder. It reports which code used the processor, as fractions of all samples.
 * Parameters: of (the profiled work), and the parameters of that work.
 */
final class Profile implements Work {

    private static final Duration EVERY = Duration.ofMillis(10);
    private static final String IN_JAVA = "jdk.ExecutionSample";
    private static final String IN_NATIVE = "jdk.NativeMethodSample";
    private static final List<String> WAITING = List.of("wait", "epollWait", "poll", "park");

    @Override
    public Answer run(Order order, Clients clients) throws Exception {
        Path file = Files.createTempFile("holdfast-profile-", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(IN_JAVA).withPeriod(EVERY);
            recording.enable(IN_NATIVE).withPeriod(EVERY);
            recording.start();
            Task.run(new Order(order.text("of"), order.parameters()), clients);
            recording.stop();
            recording.dump(file);
            return shares(file);
        } finally {
            Files.delete(file);
        }
    }

    private static Answer shares(Path file) throws IOException {
        Map<String, Long> samples = new TreeMap<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getStackTrace() != null && !isIdle(event)) {
                samples.merge(whose(event.getStackTrace().getFrames()), 1L, Long::sum);
            }
        }
        double all = samples.values().stream().mapToLong(Long::longValue).sum();
        Answer answer = Answer.NOTHING;
        for (Map.Entry<String, Long> one : samples.entrySet()) {
            answer = answer.with(one.getKey(), 100 * one.getValue() / all);
        }
        return answer;
    }

    /**
     * Returns whether a sample is of a thread that waits in the kernel, which the recorder samples like a busy thread.
     */
    private static boolean isIdle(RecordedEvent event) {
        String method = event.getStackTrace().getFrames().get(0).getMethod().getName();
        return event.getEventType().getName().equals(IN_NATIVE) && WAITING.contains(method);
    }

    /** Returns the package of the first frame that is not the JDK's, or the system call at its top. */
    private static String whose(List<RecordedFrame> frames) {
        String top = frames.get(0).getMethod().getType().getName();
        if (top.startsWith("sun.nio.ch.")) {
            return "sockets";
        }
        return frames.stream()
                .map(frame -> frame.getMethod().getType().getName())
                .filter(type -> !type.startsWith("java.") && !type.startsWith("jdk.") && !type.startsWith("sun."))
                .map(Profile::part)
                .findFirst()
                .orElse("JDK");
    }

    /** Returns the package of Holdfast, or the library of other code. */
    private static String part(String type) {
        if (type.startsWith("dev.holdfast.benchmarks.")) {
            return "benchmark";
        }
        if (type.startsWith("dev.holdfast.")) {
            String outer = type.split("\\$", 2)[0]; // the names of lambdas contain a dot of their own
            return outer.substring(0, outer.lastIndexOf('.'));
        }
        return type.startsWith("io.lettuce.") ? "Lettuce" : type.startsWith("io.netty.") ? "Netty" : "others";
    }
}
