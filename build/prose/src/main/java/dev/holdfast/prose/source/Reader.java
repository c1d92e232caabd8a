package dev.holdfast.prose.source;

import java.nio.file.Path;
import java.util.List;

/** A way to take the passages out of a kind of file. */
interface Reader {

    List<Passage> read(Path file, String content);
}
