package dev.holdfast.server.client;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The reason why a file cannot be used, in words for people. Java's own messages are often only the path. */
public final class FileProblem {

    private FileProblem() {}

    /** Returns the rest of a sentence that begins with a folder that Holdfast creates if it is missing. */
    public static String ofFolder(IOException e) {
        return e instanceof NoSuchFileException ? "does not exist and cannot be created there" : words(e);
    }

    /** Returns the rest of a sentence that begins with the file. */
    public static String words(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "does not exist";
        }
        if (e instanceof AccessDeniedException) {
            return "cannot be opened: permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "is a file, not a folder";
        }
        if (e instanceof NotDirectoryException) {
            return "is not a folder";
        }
        if (e instanceof CharacterCodingException) {
            return "is not UTF-8 text";
        }
        String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return reason == null ? "cannot be used" : "cannot be used: " + reason;
    }
}
