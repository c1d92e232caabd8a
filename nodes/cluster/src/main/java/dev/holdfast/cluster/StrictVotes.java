package dev.holdfast.cluster;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.impl.LocalRaftMetaStorage;

/**
 * The record of the server's term and vote on disk. It fails loudly: the engine ignores whether the record was written, and would give a vote that a restart
 * forgets. On a full disk, a server could then vote twice in one term, and two servers could lead in it.
 */
final class StrictVotes extends LocalRaftMetaStorage {

    private final String path;

    private StrictVotes(String path, RaftOptions options) {
        super(path, options);
        this.path = path;
    }

    /** The engine's factory of storages, with this record in place of the engine's own. */
    static final class Factory extends DefaultJRaftServiceFactory {
        @Override
        public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions options) {
            return new StrictVotes(uri, options);
        }
    }

    @Override
    public boolean setTerm(long term) {
        return require(super.setTerm(term));
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return require(super.setVotedFor(peer));
    }

    @Override
    public boolean setTermAndVotedFor(long term, PeerId peer) {
        return require(super.setTermAndVotedFor(term, peer));
    }

    private boolean require(boolean written) {
        if (!written) {
            throw new IllegalStateException(
                    "the server's vote cannot be written to " + path + ", so the server gives none");
        }
        return true;
    }
}
