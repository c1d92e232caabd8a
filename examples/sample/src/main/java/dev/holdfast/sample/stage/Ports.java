package dev.holdfast.sample.stage;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A check for ports that other programs have taken. */
final class Ports {

    private Ports() {}

    /**
     * Checks that the chosen ports are free.
     *
     * @throws StageException if one of them is taken
     */
    static void requireFree(Settings settings) {
        for (int i = 0; i < Stage.INSTANCES && settings.port() != 0; i++) {
            requireFree(settings.port() + i, "make sample PORT=9001 takes 9001 to 9003 for the instances");
        }
        if (settings.dashboard() != 0) {
            requireFree(settings.dashboard(), "make sample DASHBOARD=0 takes a free one for the page of the locks");
        }
    }

    private static void requireFree(int port, String instead) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
        } catch (IOException e) {
            throw new StageException("port " + port + " can't be listened on (" + e.getMessage() + "); " + instead, e);
        }
    }
}
