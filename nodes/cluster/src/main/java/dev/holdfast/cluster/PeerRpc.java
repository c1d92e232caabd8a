package dev.holdfast.cluster;

import com.alipay.remoting.ConnectionEventType;
import com.alipay.remoting.config.BoltClientOption;
import com.alipay.remoting.config.BoltServerOption;
import com.alipay.sofa.common.log.LogLog;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.rpc.impl.BoltRaftRpcFactory;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcClient;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcServer;
import com.alipay.sofa.jraft.util.SPI;
import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.lock.HoldfastException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import java.lang.System.Logger.Level;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The traffic between servers: the engine's own RPC, with mutual TLS. The engine finds this factory as a service, and uses it for all of its nodes in
 * the process. Only those with {@link PeerOptions} get TLS.
 */
@SPI(name = "holdfast", priority = 1)
public final class PeerRpc extends BoltRaftRpcFactory {

    private static final System.Logger LOG = System.getLogger(PeerRpc.class.getName());
    private static final String KEY_STORE_TYPE = "PKCS12";
    private static final String NAMES_PROPERTY = "io.netty.handler.ssl.defaultEndpointVerificationAlgorithm";

    static {
        LogLog.setConsoleLevel("ERROR"); // otherwise Bolt prints warnings about its logs to the user's terminal
    }

    /** The engine's options for one server. */
    static final class PeerOptions extends NodeOptions {

        private final @Nullable PeerTls tls;

        PeerOptions(@Nullable PeerTls tls) {
            this.tls = tls;
        }
    }

    /** Creates the factory, for the engine. */
    public PeerRpc() {}

    @Override
    public RpcClient createRpcClient(@Nullable ConfigHelper<RpcClient> helper) {
        RpcClient client = new Client(new com.alipay.remoting.rpc.RpcClient());
        if (helper != null) {
            helper.config(client);
        }
        return client;
    }

    /**
     * Checks that connections with these keys can work; null means connections without TLS. Bolt does not tell Netty the name of the server to which it connects, and Netty 4.2 compares that name with the
     * certificate by default, which then fails.
     *
     * @param wallMillis the present time by the wall clock, in milliseconds
     * @throws HoldfastException if Netty compares names, or if the keys cannot be used
     */
    static void requireTls(@Nullable PeerTls tls, long wallMillis) {
        if (tls == null) {
            return;
        }
        PeerKeyStore.require(tls, wallMillis).ifPresent(warning -> LOG.log(Level.WARNING, warning));
        String names;
        try {
            names = SslContextBuilder.forClient()
                    .build()
                    .newEngine(ByteBufAllocator.DEFAULT)
                    .getSSLParameters()
                    .getEndpointIdentificationAlgorithm();
        } catch (SSLException e) {
            throw new HoldfastException("this JVM has no TLS: " + e.getMessage());
        }
        if (names != null && !names.isEmpty()) {
            throw new HoldfastException("servers of a cluster cannot use TLS with this Netty's defaults, since their"
                    + " connections name no host. Use Netty 4.1, or set the system property " + NAMES_PROPERTY
                    + " to NONE if no other code in this process relies on it");
        }
    }

    /**
     * Returns the server for a peer, which listens at the peer's own address only. It closes a connection that it accepted while it was being stopped. Bolt
     * would leave it open, and its requests without answers, until the process ends.
     */
    static RpcServer server(String host, int port, @Nullable PeerTls tls) {
        com.alipay.remoting.rpc.RpcServer bolt = new com.alipay.remoting.rpc.RpcServer(host, port, true);
        bolt.addConnectionEventProcessor(ConnectionEventType.CONNECT, (address, connection) -> {
            if (!bolt.isStarted()) {
                connection.close();
            }
        });
        if (tls != null) {
            bolt.option(BoltServerOption.SRV_SSL_ENABLE, true);
            bolt.option(BoltServerOption.SRV_SSL_NEED_CLIENT_AUTH, true);
            bolt.option(BoltServerOption.SRV_SSL_KEYSTORE, tls.keyStore().toString());
            bolt.option(BoltServerOption.SRV_SSL_KEYSTORE_PASS, tls.password());
            bolt.option(BoltServerOption.SRV_SSL_KEYSTORE_TYPE, KEY_STORE_TYPE);
            bolt.option(BoltServerOption.SRV_SSL_KMF_ALGO, KeyManagerFactory.getDefaultAlgorithm());
        }
        return new BoltRpcServer(bolt);
    }

    private static final class Client extends BoltRpcClient {

        private final com.alipay.remoting.rpc.RpcClient bolt;

        Client(com.alipay.remoting.rpc.RpcClient bolt) {
            super(bolt);
            this.bolt = bolt;
        }

        @Override
        public boolean init(RpcOptions options) {
            PeerTls tls = options instanceof PeerOptions peer ? peer.tls : null;
            if (tls != null) {
                bolt.option(BoltClientOption.CLI_SSL_ENABLE, true);
                bolt.option(BoltClientOption.CLI_SSL_KEYSTORE, tls.keyStore().toString());
                bolt.option(BoltClientOption.CLI_SSL_KEYSTORE_PASS, tls.password());
                bolt.option(BoltClientOption.CLI_SSL_KEYSTORE_TYPE, KEY_STORE_TYPE);
                bolt.option(BoltClientOption.CLI_SSL_TMF_ALGO, TrustManagerFactory.getDefaultAlgorithm());
                bolt.option(BoltServerOption.SRV_SSL_KMF_ALGO, KeyManagerFactory.getDefaultAlgorithm());
            }
            return super.init(options);
        }
    }
}
