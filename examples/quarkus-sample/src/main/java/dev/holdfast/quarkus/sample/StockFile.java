package dev.holdfast.quarkus.sample;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The number of pieces taken of each article, in a file that knows nothing of locks: two writers at once would lose a piece. */
@Singleton
public class StockFile {

    private final Path folder;

    @Inject
    public StockFile(@ConfigProperty(name = "sample.folder") String folder) {
        this.folder = Path.of(folder);
    }

    int taken(String article) throws IOException {
        try {
            return Integer.parseInt(Files.readString(file(article)));
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    void write(String article, int taken) throws IOException {
        Files.writeString(file(article), Integer.toString(taken));
    }

    /** Adds a line to a text, which other instances may do at the same time. */
    void append(String name, String line) throws IOException {
        Files.writeString(file(name), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private Path file(String article) {
        return folder.resolve(article + ".txt");
    }
}
