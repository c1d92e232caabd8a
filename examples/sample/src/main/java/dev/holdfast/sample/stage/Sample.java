package dev.holdfast.sample.stage;

import dev.holdfast.lock.HoldfastException;
import dev.holdfast.redis.process.RedisStartException;
import java.util.concurrent.CountDownLatch;

/**
 * The command of the sample. It starts everything and prints a table of addresses; Ctrl-C ends everything. It exits
 * with status 1 if something does not start, and 2 if the arguments are wrong.
 */
public final class Sample {

    private Sample() {}

    /** Runs the sample with the arguments of {@link Settings}. */
    public static void main(String[] args) throws InterruptedException {
        System.setProperty("logback.configurationFile", "dev/holdfast/sample/stage/logback.xml");
        Stage stage = new Stage(settings(args));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stage), "sample-end"));
        try {
            System.out.println("Starting a database, lock nodes and three instances; about 20 s ...");
            stage.start();
        } catch (StageException | HoldfastException | RedisStartException e) {
            if (!stage.isClosing()) {
                System.err.println("sample: " + e.getMessage());
            }
            System.exit(1);
        }
        System.out.println(Playbill.of(stage));
        stage.startLoad();
        new CountDownLatch(1).await(); // until a signal ends this
    }

    private static void end(Stage stage) {
        if (!stage.instances().isEmpty()) {
            System.out.println("Ending everything ...");
        }
        stage.close();
    }

    private static Settings settings(String[] args) {
        try {
            return Settings.of(args);
        } catch (IllegalArgumentException e) {
            System.err.println("sample: " + e.getMessage());
            System.exit(2);
            throw e;
        }
    }
}
