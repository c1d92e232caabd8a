package dev.holdfast.cluster;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/** The reason why a file cannot be used, in words for people. Java's own messages have the names of its classes, and often only the path. */
final class FileReason {

    private FileReason() {}

    static String of(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "there is a file of this name";
        }
        String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return reason == null ? e.toString() : reason;
    }
}
