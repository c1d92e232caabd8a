package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.report.Figures;
import dev.holdfast.benchmarks.report.Picture;
import dev.holdfast.benchmarks.report.RawFigures;
import dev.holdfast.benchmarks.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of a report in one directory: README.md, figures.csv and the charts. */
final class Report {

    private Report() {}

    static void write(Path directory, List<Scenario> scenarios, Figures figures, List<String> facts)
            throws IOException {
        System.setProperty("java.awt.headless", "true");
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("figures.csv"), RawFigures.csv(figures));
        for (Picture picture : Pictures.LIST) {
            if (picture.hasFigures(figures)) {
                Files.writeString(directory.resolve(picture.file() + ".svg"), picture.svg(figures));
            }
        }
        Files.writeString(directory.resolve("README.md"), ReportText.of(scenarios, figures, facts));
        System.out.println("report: " + directory.resolve("README.md"));
    }
}
