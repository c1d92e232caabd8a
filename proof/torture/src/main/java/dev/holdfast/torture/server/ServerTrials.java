package dev.holdfast.torture.server;

import dev.holdfast.report.MachineFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Runs one trial of lock servers that {@code ./holdfast serve} starts. */
public final class ServerTrials {

    private ServerTrials() {}

    /**
     * Runs the trial with the arguments of {@link TrialSettings}, and writes its report. Exits with status 1 if
     * something does not hold, and 2 if the arguments are wrong.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        TrialSettings settings;
        try {
            settings = TrialSettings.of(args, new Random().nextInt(1_000_000));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.out.println(settings.command());
        List<String> violations = run(settings);
        System.out.println(violations.isEmpty() ? "everything holds" : violations.size() + " violations");
        System.exit(violations.isEmpty() ? 0 : 1);
    }

    static List<String> run(TrialSettings settings) throws IOException, InterruptedException {
        TrialReport report = new TrialReport();
        trial(settings.trial()).run(settings, report);
        Files.createDirectories(settings.directory());
        Path file = settings.directory().resolve(settings.trial() + ".md");
        Files.writeString(file, report.text(settings, MachineFacts.lines()));
        System.out.println("report: " + file);
        return report.violations();
    }

    private static Trial trial(String name) {
        return switch (name) {
            case "reconnect" -> new ReconnectTrial();
            case "attack" -> new AttackTrial();
            case "sessions" -> new SessionsTrial();
            default -> throw new IllegalArgumentException("no trial '" + name + "'");
        };
    }
}
