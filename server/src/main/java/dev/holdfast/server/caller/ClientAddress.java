package dev.holdfast.server.caller;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The name of a client that has no token. */
public final class ClientAddress {

    private ClientAddress() {}

    /**
     * Returns the IPv4 address of a client, or its IPv6 network, such as {@code 2001:db8:0:5::/64}, since one machine may have any number of addresses
     * there. A client on the server's machine is {@code 127.0.0.1} or {@code ::1}. The name is empty if the connection has ended.
     */
    public static String of(@Nullable SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress socket) || socket.getAddress() == null) {
            return remote == null ? "" : remote.toString(); // a connection in memory
        }
        InetAddress address = socket.getAddress();
        String text = address.getHostAddress();
        if (address instanceof Inet6Address) {
            return address.isLoopbackAddress() ? "::1" : text.replaceFirst("^(([^:]+:){4}).*", "$1:/64");
        }
        return text;
    }
}
