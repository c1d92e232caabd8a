package dev.holdfast.benchmarks.world;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A kind of server of which {@link Trio} runs three: how one is started, and how its part is asked for. */
public interface ServerKind {

    /** The part of a server in its cluster. */
    enum Part {
        LEADS,
        FOLLOWS,
        /** The server does not answer, or knows no leader. */
        NONE
    }

    /** Returns the name for files. */
    String name();

    /** Returns the addresses that a client of the cluster needs. */
    List<String> nodes();

    /** Returns the command of a server, whose data are in this folder, and writes the files that it needs. */
    ProcessBuilder command(int index, Path data) throws IOException;

    /** Asks a server for its part. */
    Part part(int index) throws IOException;
}
