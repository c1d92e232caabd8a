package dev.holdfast.locked;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.NodeStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts about an application's client, for its log and its operators. */
public final class ClientText {

    private static final int LONGEST_NAME = 100;

    private ClientText() {}

    /**
     * Returns the default name of a client, {@code application@host:pid}.
     *
     * @param application the name of the application
     * @param host the name of this host; null or blank if the environment does not name it
     */
    public static String name(String application, @Nullable String host) {
        String name = application + "@" + (host == null || host.isBlank() ? localHost() : host) + ":"
                + ProcessHandle.current().pid();
        String plain = name.replaceAll("[^0-9A-Za-z@._:-]", "_");
        return plain.substring(Math.max(plain.length() - LONGEST_NAME, 0));
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Returns one line with the client's name, its nodes, their majority, and the losses that the locks survive, unless a single node has several servers. */
    public static String summary(Holdfast holdfast) {
        List<String> nodes = holdfast.admin().nodeNames();
        int majority = nodes.size() / 2 + 1;
        boolean hasSeveralServers = nodes.size() == 1 && nodes.get(0).contains(",");
        String mode = nodes.size() == 1
                ? "1 node" + (hasSeveralServers ? "" : "; locks do not survive its loss")
                : nodes.size() + " nodes, of which " + majority + " are a majority; locks survive the loss of "
                        + (nodes.size() - majority);
        return "Client " + holdfast.client() + " locks on " + mode + ": " + String.join(", ", nodes);
    }

    /** Returns the state of a node, with the reason if it is not up. */
    public static String state(NodeStatus node) {
        return node.state() + (node.detail().isEmpty() ? "" : ": " + node.detail());
    }
}
