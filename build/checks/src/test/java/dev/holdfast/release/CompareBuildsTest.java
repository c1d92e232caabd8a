package dev.holdfast.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareBuildsTest {

    private static final long NOON = 1_790_000_000_000L;

    @TempDir
    Path folder;

    private Path jar(String build, long time, String... namesAndTexts) throws IOException {
        Path jar = Files.createDirectories(folder.resolve(build)).resolve("a.jar");
        try (OutputStream bytes = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < namesAndTexts.length; i += 2) {
                ZipEntry entry = new ZipEntry(namesAndTexts[i]);
                entry.setTime(time);
                zip.putNextEntry(entry);
                zip.write(namesAndTexts[i + 1].getBytes("UTF-8"));
            }
        }
        return jar;
    }

    private List<String> compare() throws IOException {
        return new CompareBuilds(folder.resolve("first"), folder.resolve("second")).compare();
    }

    @Test
    void findsNothingInTheSameBits() throws IOException {
        jar("first", NOON, "x", "1", "y", "2");
        jar("second", NOON, "x", "1", "y", "2");

        assertThat(compare()).isEmpty();
    }

    @Test
    void namesTheFileInTheJar() throws IOException {
        jar("first", NOON, "x", "1", "y", "23", "z", "");
        jar("second", NOON, "x", "1", "y", "24", "w", "");

        assertThat(compare())
                .containsExactly(
                        "a.jar: w is only in " + folder.resolve("second"),
                        "a.jar: y differs in its bytes, from 1",
                        "a.jar: z is only in " + folder.resolve("first"));
    }

    @Test
    void seesTimesAndOrder() throws IOException {
        jar("first", NOON, "x", "1");
        jar("second", NOON + 60_000, "x", "1");
        assertThat(compare()).containsExactly("a.jar: x differs in its time");

        jar("first", NOON, "x", "1", "y", "2");
        jar("second", NOON, "y", "2", "x", "1");
        assertThat(compare()).containsExactly("a.jar: the same files, but in another order or packed in another way");
    }

    @Test
    void seesOtherFilesAndWhatIsMissing() throws IOException {
        jar("first", NOON, "x", "1");
        jar("second", NOON, "x", "1");
        Files.writeString(folder.resolve("first/a.pom"), "<a/>");
        Files.writeString(folder.resolve("second/a.pom"), "<b/>");
        Files.writeString(folder.resolve("second/b.pom"), "");

        assertThat(compare())
                .containsExactly("a.pom: differs from byte 1", "b.pom: only in " + folder.resolve("second"));
    }

    @Test
    void twoEmptyFoldersProveNothing() throws IOException {
        Files.createDirectories(folder.resolve("first"));
        Files.createDirectories(folder.resolve("second"));

        assertThat(compare()).containsExactly("no jar in " + folder.resolve("first"));
    }
}
