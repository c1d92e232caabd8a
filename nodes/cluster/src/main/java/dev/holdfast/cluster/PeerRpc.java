package dev.holdfast.cluster;

import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.SPI;
import dev.holdfast.time.Timing;
import org.jspecify.annotations.Nullable;

/**
 * The transport between servers, which the engine finds as a service. It uses this one for all of its nodes in the process, so a process with a server of a
 * cluster cannot have other nodes of SOFAJRaft.
 */
@SPI(name = "holdfast", priority = 1)
public final class PeerRpc implements RaftRpcFactory {

    /** The engine's options for one server. */
    static final class PeerOptions extends NodeOptions {

        private final PeerSockets sockets;
        private final Timing timing;

        PeerOptions(PeerSockets sockets, Timing timing) {
            this.sockets = sockets;
            this.timing = timing;
        }

        PeerSockets sockets() {
            return sockets;
        }

        Timing timing() {
            return timing;
        }

        /** Has no effect: {@link EngineOptions} sets what the engine would check here, with a class of its transport that this module does without. */
        @Override
        public void validate() {}
    }

    /** Creates the factory, for the engine. */
    public PeerRpc() {}

    @Override
    public void registerProtobufSerializer(String className, Object... args) {} // PeerCodec knows them

    /**
     * Returns false, so that a server sends its answers as they come. Otherwise it would keep one order for all connections of a leader, in which an answer
     * for a connection that has ended holds up those for the next one. The leader puts them into order anyway.
     */
    @Override
    public boolean isReplicatorPipelineEnabled() {
        return false;
    }

    @Override
    public RpcClient createRpcClient(@Nullable ConfigHelper<RpcClient> helper) {
        RpcClient client = new PeerClient();
        if (helper != null) {
            helper.config(client);
        }
        return client;
    }

    @Override
    public RpcServer createRpcServer(Endpoint endpoint, @Nullable ConfigHelper<RpcServer> helper) {
        throw new UnsupportedOperationException(
                "a process with a server of a Holdfast cluster cannot have other nodes of SOFAJRaft");
    }
}
