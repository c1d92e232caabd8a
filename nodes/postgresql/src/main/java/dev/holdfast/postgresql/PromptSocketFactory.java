package dev.holdfast.postgresql;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * A factory of sockets on which the driver passes a notification on as soon as it arrives. The driver's own sockets wait a millisecond for another
 * one first. A node that opens its own connections uses this factory. For an application's data source, add {@code
 * socketFactory=dev.holdfast.postgresql.PromptSocketFactory} to the driver's URL.
 */
public final class PromptSocketFactory extends SocketFactory {

    /** Creates the factory. The driver calls this constructor. */
    public PromptSocketFactory() {}

    @Override
    public Socket createSocket() {
        return new PromptSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return getDefault().createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return getDefault().createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return getDefault().createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return getDefault().createSocket(host, port, localHost, localPort);
    }

    /** A socket whose shortest timeout, with which the driver asks whether there is more, ends at once if there is nothing to read. */
    private static final class PromptSocket extends Socket {

        private static final int SHORTEST_MILLIS = 1;

        private volatile boolean asks;

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            asks = millis == SHORTEST_MILLIS;
            super.setSoTimeout(millis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {

                @Override
                public int read() throws IOException {
                    ask();
                    return super.read();
                }

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    ask();
                    return super.read(bytes, offset, length);
                }

                private void ask() throws IOException {
                    if (asks && available() == 0) {
                        throw new SocketTimeoutException("nothing to read");
                    }
                }
            };
        }
    }
}
