package dev.holdfast.redis;

import dev.holdfast.redis.script.LuaScript;
import dev.holdfast.testkit.FuzzedInput;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server that understands what Holdfast sends, and answers as a Redis would, but for some bytes. */
final class FakeRedis implements AutoCloseable {

    private static final String OWNER = "a@b~00000000/1780000000000000/0";
    private static final int KEYS_OF_A_LEASE = 4;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final CountDownLatch heard = new CountDownLatch(1);
    private final FuzzedInput input;
    private final int percentBad;

    FakeRedis(FuzzedInput input) throws IOException {
        this.input = input;
        this.percentBad = input.pick(3, 10, 30, 90);
        daemon(this::listen);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "nearly-redis");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Waits until it has been asked something beyond the greeting, or for a moment. */
    void awaitHeard() throws InterruptedException {
        heard.await(150, TimeUnit.MILLISECONDS);
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                clients.add(client);
                daemon(() -> serve(client));
            } catch (IOException e) {
                return; // the test is over
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                out.write(answer(command(in)));
                out.flush();
            }
        } catch (IOException e) {
            // the node has hung up
        }
    }

    private static List<String> command(InputStream in) throws IOException {
        int parts = number(in);
        List<String> command = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            command.add(new String(in.readNBytes(number(in)), StandardCharsets.UTF_8));
            in.readNBytes(2);
        }
        return command;
    }

    private static int number(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.append((char) b);
        }
        return Integer.parseInt(line.substring(1).strip());
    }

    private byte[] answer(List<String> command) {
        byte[] valid = valid(command).getBytes(StandardCharsets.UTF_8);
        synchronized (input) {
            return input.chance(percentBad) ? input.bytes(valid, deep()) : valid;
        }
    }

    private byte[] deep() {
        return "*1\r\n".repeat(input.pick(1, 40, 3_000)).getBytes(StandardCharsets.UTF_8);
    }

    private String valid(List<String> command) {
        return switch (command.get(0).toUpperCase(Locale.ROOT)) {
            case "HELLO" ->
                "%7\r\n" + bulk("server") + bulk("redis") + bulk("version") + bulk("7.0.15") + bulk("proto") + ":3\r\n"
                        + bulk("id") + ":5\r\n" + bulk("mode") + bulk("standalone") + bulk("role") + bulk("master")
                        + bulk("modules") + "*0\r\n";
            case "INFO" ->
                bulk("redis_version:7.0.15\r\nrun_id:4f2a\r\nuptime_in_seconds:7777777\r\nrole:master\r\n"
                        + "redis_mode:standalone\r\n");
            case "SUBSCRIBE" -> ">3\r\n" + bulk("subscribe") + bulk(command.get(1)) + ":1\r\n";
            case "SCRIPT" -> bulk("0123456789012345678901234567890123456789");
            case "TIME" -> "*2\r\n" + bulk("1780000000") + bulk("123456");
            case "EVALSHA", "EVAL" -> script(command);
            default -> "+OK\r\n";
        };
    }

    private String script(List<String> command) {
        if (command.get(1).equals(LuaScript.WATCH.sha1())) {
            return "*4\r\n" + bulk("1780000000") + bulk("123456") + bulk("4f2a/0b1c") + bulk("4f2a/0b1c");
        }
        heard.countDown();
        if (command.get(1).equals(LuaScript.RELEASE.sha1())) {
            return ":1\r\n";
        }
        if (command.get(1).equals(LuaScript.EXTEND.sha1())) {
            synchronized (input) {
                int leases = Integer.parseInt(command.get(2)) / KEYS_OF_A_LEASE;
                int answers = input.pick(leases, leases, leases, leases - 1, 0);
                return "*" + answers + "\r\n" + (":" + input.number() + "\r\n").repeat(answers);
            }
        }
        if (command.get(1).equals(LuaScript.INSPECT.sha1())) {
            return "*4\r\n" + bulk("1") + ":0\r\n*0\r\n*0\r\n";
        }
        synchronized (input) {
            return input.pick(
                    ":" + input.number() + "\r\n",
                    "*5\r\n" + bulk("GRANTED") + bulk(Long.toString(input.number())) + bulk("") + bulk("0") + ":0\r\n",
                    "*5\r\n" + bulk("GRANTED") + bulk("1866465280000000") + bulk(OWNER) + bulk("0") + ":7\r\n",
                    "*8\r\n" + bulk("DENIED") + ":" + input.number() + "\r\n" + bulk("HELD") + bulk("FOREIGN")
                            + bulk("x") + ":-1\r\n" + bulk("0") + ":0\r\n",
                    "*2\r\n" + bulk("SEALED") + ":" + input.number() + "\r\n",
                    "-OOM command not allowed\r\n");
        }
    }

    private static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
