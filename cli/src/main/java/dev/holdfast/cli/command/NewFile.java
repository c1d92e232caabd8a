package dev.holdfast.cli.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that did not exist before, with content that only its owner may read. */
final class NewFile {

    private NewFile() {}

    /**
     * Writes the file to the disk. If that fails, the file does not exist afterwards.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    static void write(Path file, byte[] content) throws IOException {
        FileAttribute<?>[] onlyOwner =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), onlyOwner)) {
            try {
                ByteBuffer left = ByteBuffer.wrap(content);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
            } catch (IOException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }
    }
}
