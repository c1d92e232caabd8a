package dev.holdfast.cluster;

import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Ticker;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** The sockets between servers, with mutual TLS if the cluster has keys. The name of a server is not compared with its certificate: the keys are the cluster. */
final class PeerSockets {

    private static final System.Logger LOG = System.getLogger(PeerSockets.class.getName());
    private static final int CONNECT_MILLIS = 1_000;
    private static final int HANDSHAKE_MILLIS = 5_000;

    /** The connections that wait until they are accepted. Beyond them the system drops a request to connect, and the other server's second has passed. */
    private static final int WAITING_CONNECTIONS = 1_024;

    /** The bytes that a socket takes without waiting, although nothing is read at its other end. */
    private static final int SEND_BUFFER_BYTES = 512 * 1024;

    /** The machine of a silent peer counts as gone after half a minute. A process that is merely stopped keeps its connections. */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 15,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 5,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

    private final @Nullable SSLContext tls;

    private PeerSockets(@Nullable SSLContext tls) {
        this.tls = tls;
    }

    /**
     * Reads and checks the keys.
     *
     * @param keys null for connections without TLS
     * @param ticker the clock by which certificates may be too old, which is a warning only
     * @throws HoldfastException if connections with these keys cannot work
     */
    static PeerSockets of(@Nullable PeerTls keys, Ticker ticker) {
        if (keys == null) {
            return new PeerSockets(null);
        }
        PeerKeyStore.require(keys, ticker.wallMillis()).ifPresent(warning -> LOG.log(Level.WARNING, warning));
        return new PeerSockets(context(keys));
    }

    private static SSLContext context(PeerTls keys) {
        try {
            KeyStore store = PeerKeyStore.open(keys);
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(store, keys.password().toCharArray());
            TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            others.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), others.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new HoldfastException("the keys in " + keys.keyStore() + " cannot be used: " + e.getMessage());
        }
    }

    /** Opens the port of a server, at this address only. */
    static ServerSocket listen(String host, int port) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(host, port), WAITING_CONNECTIONS);
        return listener;
    }

    /** Returns a connection to another server, which waits no longer than a second for it once it is started. */
    PeerConnection connect(String host, int port, PeerConnection.Receiver receiver) {
        Socket transport = new Socket();
        return new PeerConnection(
                transport,
                () -> {
                    prepare(transport);
                    transport.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
                    return tls == null
                            ? transport
                            : shakeHands((SSLSocket) tls.getSocketFactory().createSocket(transport, host, port, true));
                },
                receiver);
    }

    /** Takes over a connection that another server has opened. */
    PeerConnection accept(Socket transport, PeerConnection.Receiver receiver) {
        return new PeerConnection(
                transport,
                () -> {
                    prepare(transport);
                    if (tls == null) {
                        return transport;
                    }
                    SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(transport, null, true);
                    secured.setUseClientMode(false);
                    secured.setNeedClientAuth(true);
                    return shakeHands(secured);
                },
                receiver);
    }

    private static Socket shakeHands(SSLSocket secured) throws IOException {
        secured.setSoTimeout(HANDSHAKE_MILLIS);
        secured.startHandshake();
        secured.setSoTimeout(0);
        return secured;
    }

    private static void prepare(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSendBufferSize(SEND_BUFFER_BYTES);
        socket.setKeepAlive(true);
        Set<SocketOption<?>> known = socket.supportedOptions();
        for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
            if (known.contains(option.getKey())) {
                socket.setOption(option.getKey(), option.getValue());
            }
        }
    }
}
