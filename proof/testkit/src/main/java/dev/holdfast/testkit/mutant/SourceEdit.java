package dev.holdfast.testkit.mutant;

/**
 * A change of a source file that plants a part of a mistake.
 *
 * @param module the folder of the module, such as {@code core}
 * @param source the class below the package {@code dev.holdfast}, such as {@code internal/quorum/Attempt}
 * @param from text that the file contains exactly once
 * @param to the text that replaces it
 */
public record SourceEdit(String module, String source, String from, String to) {

    /** Returns the path of the file in the project's folder. */
    String path() {
        return module + "/src/main/java/" + file();
    }

    /** Returns the path of the file in a folder of sources. */
    String file() {
        return "dev/holdfast/" + source + ".java";
    }
}
