package dev.holdfast.server.tls;

import dev.holdfast.server.message.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file in the PEM format (RFC 7468): blocks with a label each. Immutable; {@link #toString} names the file and tells nothing of what is in it. */
final class PemFile {

    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final int LARGEST = 1 << 20;

    private final Path path;
    private final String text;

    private PemFile(Path path, String text) {
        this.path = path;
        this.text = text;
    }

    /**
     * As it is now.
     *
     * @throws IllegalArgumentException if it can't be read: says why
     */
    static PemFile read(Path path) {
        PemFile unread = new PemFile(path, "");
        try {
            if (Files.isDirectory(path)) {
                throw unread.wrong("it is a directory");
            }
            if (Files.size(path) > LARGEST) {
                throw unread.wrong("it has more than " + LARGEST + " bytes");
            }
            return new PemFile(path, Files.readString(path, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            throw unread.wrong("it does not exist");
        } catch (AccessDeniedException e) {
            throw unread.wrong("it may not be read: permission denied");
        } catch (IOException e) {
            throw unread.wrong("it can't be read: " + e.getClass().getSimpleName());
        }
    }

    /** What the blocks with this label hold, in their order. */
    List<byte[]> blocks(String label) {
        List<byte[]> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals(label)) {
                blocks.add(decoded(block.group(2), label));
            }
        }
        return blocks;
    }

    private byte[] decoded(String content, String label) {
        try {
            return Base64.getMimeDecoder().decode(content);
        } catch (IllegalArgumentException e) { // whose message shows some of it
            throw wrong("what is in the block " + label + " is not base64");
        }
    }

    boolean has(String label) {
        return text.contains("-----BEGIN " + label + "-----");
    }

    boolean isSameAs(PemFile other) {
        return text.equals(other.text);
    }

    IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(this + " can't be used: " + why);
    }

    @Override
    public String toString() {
        return "the file " + Printable.of(path.toString(), 300);
    }
}
