package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record of a server's vote on a disk that works, and on one that does not. */
class StrictVotesTest {

    private static final PeerId PEER = new PeerId("127.0.0.1", 7520);

    @TempDir
    Path folder;

    private RaftMetaStorage open() {
        RaftMetaStorage votes = new StrictVotes.Factory()
                .createRaftMetaStorage(folder.resolve("votes").toString(), new RaftOptions());
        RaftMetaStorageOptions options = new RaftMetaStorageOptions();
        options.setNode(new NodeImpl());
        assertThat(votes.init(options)).isTrue();
        return votes;
    }

    @Test
    void aVoteThatWasWrittenIsRemembered() {
        assertThat(open().setTermAndVotedFor(7, PEER)).isTrue();
        RaftMetaStorage after = open();
        assertThat(after.getTerm()).isEqualTo(7);
        assertThat(after.getVotedFor()).isEqualTo(PEER);
    }

    /** The engine ignores the result, and would give a vote that a restart forgets. */
    @Test
    void aVoteThatCannotBeWrittenIsNotGiven() throws IOException {
        RaftMetaStorage votes = open();
        assertThat(votes.setTerm(7)).isTrue();
        Path place = folder.resolve("votes");
        try (Stream<Path> files = Files.list(place)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(place);
        Files.writeString(place, "no folder, so that writing fails");

        assertThatThrownBy(() -> votes.setVotedFor(PEER)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> votes.setTermAndVotedFor(8, PEER)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> votes.setTerm(9))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be written to " + place);
    }
}
