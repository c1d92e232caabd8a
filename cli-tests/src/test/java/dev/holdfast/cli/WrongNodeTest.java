package dev.holdfast.cli;

import dev.holdfast.redis.process.FreePort;
import dev.holdfast.redis.process.RedisOptions;
import dev.holdfast.redis.process.RedisProcess;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.redis.process.TlsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that nodes that cannot be used are reported in one plain line: hosts, ports, TLS, certificates, passwords, and servers of another kind. */
@Tag("slow")
class WrongNodeTest {

    /** Long enough for a busy machine. */
    private static final String A_WHILE = "30s";

    private static final String ANSWERING = "ANSWER ";
    private static final String ECHO = "ECHO";

    private static final Map<String, String> WORDS = new HashMap<>();
    private static final List<ServerSocket> OTHERS = new ArrayList<>();

    private static RedisProcess server;
    private static RedisProcess mutual;
    private static RedisProcess locked;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void startServers() throws IOException {
        TestAuthority authority = TestAuthority.in(folder);
        TlsFiles files = authority.certify("server", "IP:127.0.0.1", -1, 2);
        TlsFiles elsewhere = authority.certify("elsewhere", "DNS:elsewhere.example", -1, 2);
        TlsFiles strange = TestAuthority.in(folder.resolve("strange")).certify("strange");
        server = RedisProcess.start(
                RedisOptions.defaults().tls(files).user("reader on >secret ~* &* +@all -evalsha -eval -script|load"));
        mutual = RedisProcess.start(RedisOptions.defaults().tls(elsewhere.mutual()));
        locked = RedisProcess.start(RedisOptions.defaults().password("secret"));
        WORDS.put("locked", "127.0.0.1:" + locked.port());
        WORDS.put("plain", "127.0.0.1:" + server.port());
        WORDS.put("tls", server.tlsUri().getAuthority());
        WORDS.put("elsewhere", mutual.tlsUri().getAuthority());
        WORDS.put("ca", files.authority().toString());
        WORDS.put("strange-ca", strange.authority().toString());
        WORDS.put("strange-cert", strange.certificate().toString());
        WORDS.put("strange-key", strange.key().toString());
        WORDS.put("key", files.key().toString());
        WORDS.put("unknown", Mistakes.UNKNOWN_HOST);
        WORDS.put("free", "127.0.0.1:" + FreePort.pick());
        WORDS.put("http", other("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        WORDS.put("page", other("<html>"));
        WORDS.put("ssh", other("SSH-2.0-OpenSSH_9.2\r\n"));
        WORDS.put("pop3", answering("+OK\r\n"));
        WORDS.put("number", answering(":1\r\n"));
        WORDS.put("nothing", answering("$-1\r\n"));
        WORDS.put("null-reply", answering("_\r\n"));
        WORDS.put("echo", other(ECHO));
        WORDS.put("silent", other(""));
        WORDS.put("closing", other("CLOSE"));
    }

    /** Starts a server of another kind, which says something once the client has asked; returns its address. */
    private static String answering(String says) throws IOException {
        return other(ANSWERING + says);
    }

    /** Starts a server of another kind, which says something to every client; returns its address. */
    private static String other(String says) throws IOException {
        ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        OTHERS.add(listening);
        Thread thread = new Thread(() -> accept(listening, says), "other-server");
        thread.setDaemon(true);
        thread.start();
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private static void accept(ServerSocket listening, String says) {
        List<Socket> open = new ArrayList<>();
        try {
            while (true) {
                Socket client = listening.accept();
                open.add(client);
                if (says.equals("CLOSE")) {
                    client.close();
                    continue;
                }
                if (says.equals(ECHO)) {
                    echo(client);
                    continue;
                }
                if (says.startsWith(ANSWERING)) {
                    client.getInputStream().read();
                }
                OutputStream out = client.getOutputStream();
                out.write(says.replace(ANSWERING, "").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException closed) {
            // The test is over.
        } finally {
            open.forEach(WrongNodeTest::close);
        }
    }

    private static void echo(Socket client) {
        Thread thread = new Thread(
                () -> {
                    try {
                        client.getInputStream().transferTo(client.getOutputStream());
                    } catch (IOException closed) {
                        // The client has disconnected, or the test has ended.
                    }
                },
                "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    static void stopServers() {
        OTHERS.forEach(WrongNodeTest::close);
        server.close();
        mutual.close();
        locked.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "69 | --node redis://{unknown} | the host is unknown; check its name",
                "69 | --node rediss://{unknown} | the host is unknown; check its name",
                "69 | --node holdfast://{unknown} | the host is unknown; check its name",
                "69 | --node redis://{free} | connection refused: no server listens at this address",
                "69 | --node rediss://{free} | connection refused",
                "69 | --node holdfast://{free} | connection refused",
                "69 | --node holdfasts://{free} | connection refused",
                "69 | --node redis-cluster://{free} | no member of the cluster answers at these addresses",
                "69 | --node redis-cluster://{unknown} | the host is unknown; check its name",
                "69 | --node redis-cluster://{tls} | if it expects TLS, write rediss-cluster://",
                "69 | --node redis-cluster://{echo} | the server is not a Redis server: it speaks another protocol",
                "69 | --node rediss-sentinel://{plain}?master=m | no answer within 1000 ms while connecting; check the host and the port, and if the port does not speak TLS, write redis-sentinel://",
                "69 | --node redis-sentinel://{free}?master=m | connection refused",
                "69 | --node redis-socket:///no/such.sock | the socket file does not exist",
                "69 | --node redis://{http} | the server is not a Redis server",
                "69 | --node redis://{page} | the server is not a Redis server",
                "69 | --node redis://{ssh} | the server is not a Redis server",
                "69 | --node redis://{pop3} | the server is not a Redis server: it speaks another protocol",
                "69 | --node redis://{number} | the server is not a Redis server: it speaks another protocol",
                "69 | --node redis://{nothing} | the server is not a Redis server: it speaks another protocol",
                "69 | --node redis://{null-reply} | the server is not a Redis server: it speaks another protocol",
                "69 | --node redis://{echo} | the server is not a Redis server: it speaks another protocol",
                "69 | --node rediss://{echo} | the server does not speak TLS at this port",
                "69 | --node redis://{locked} | the server wants a password: set HOLDFAST_PASSWORD or --password-file",
                "69 | --node redis://{silent} | no answer within 1000 ms while connecting; check the host and the port",
                "69 | --node redis://{closing} | if it expects TLS, write rediss://",
                "69 | --node redis://{tls} | if it expects TLS, write rediss://",
                "69 | --node rediss://{plain} | no answer within 1000 ms while connecting; check the host and the port, and if the port does not speak TLS, write redis://",
                "69 | --node rediss://{http} | the server does not speak TLS at this port",
                "69 | --node rediss://{tls} | the server's certificate is not trusted; pass the certificate of its CA (--tls-ca",
                "69 | --tls-ca {strange-ca} --node rediss://{tls} | the server's certificate is not trusted",
                "69 | --tls-ca {ca} --node rediss://{elsewhere} | the server's certificate is for another host",
                "64 | --tls-ca {key} --node rediss://{tls} | it has no certificate",
                "64 | --tls-cert {strange-cert} --tls-key {key} --node rediss://{tls} | has the key of another certificate than",
                "64 | --tls-cert {ca} --tls-key {ca} --node rediss://{tls} | it has no key",
                "69 | --node holdfast://{plain} | check the host and the port, and if it expects TLS, write holdfasts://",
                "69 | --node holdfast://{tls} | if it expects TLS, write holdfasts://",
                "69 | --node holdfasts://{tls} | the server's certificate is not trusted",
                "69 | --tls-ca {ca} --node holdfasts://{elsewhere} | the server's certificate is for another host",
                "69 | --node holdfasts://{plain} | no answer within 1000 ms while connecting; check the host and the port, and if the port does not speak TLS, write holdfast://",
                "69 | --node holdfast://{http} | there is no Holdfast server at this address; check the host and the port",
                "69 | --node holdfast://{ssh} | the server does not speak HTTP; check the host and the port",
                "69 | --node holdfast://{closing} | the connection was closed; check the host and the port",
                "69 | --node postgresql://{unknown}/x | the host is unknown; check its name",
                "69 | --node postgresql://{free}/x | refused",
                "69 | --node postgresql://{http}/x | the server is not a PostgreSQL server; check the host and the port",
                "69 | --node postgresql://{ssh}/x | no answer in time; check the host and the port",
                "69 | --node postgresql://{closing}/x | check the host and the port",
                "69 | --node postgresql://{plain}/x | check the host and the port",
                "69 | --node postgresql://{silent}/x | no answer while connecting; check the host and the port",
                "69 | --node redis://bob:secret@{plain} | the server refuses the user or the password",
                "69 | --node redis://{plain}/99 | the server has no database of this number",
                "69 | --node redis-cluster://{plain} | the server is not in cluster mode; write redis://",
                "69 | --node redis-sentinel://{plain}?master=m | no sentinel at these addresses knows the master",
                "69 | --node redis://reader:secret@{plain} | the user lacks a right at the server",
            })
    void isReportedInOneLine(int code, String nodes, String expected) {
        String timeout = expected.contains("no answer") ? "1s" : A_WHILE;
        Mistakes.assertRejected(code, "--connect-timeout " + timeout + " " + nodes + " run -n x true", expected, WORDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "holdfast://{unknown} | the host is unknown; check its name",
                "holdfast://{free} | connection refused: no server listens at this address",
                "holdfasts://{free} | connection refused: no server listens at this address",
                "holdfast://{plain} | the connection was closed; check the host and the port, and if it expects TLS, write holdfasts://",
                "holdfasts://{plain} | no answer in time; check the host and the port, and if the port does not speak TLS, write holdfast://",
                "holdfast://{http} | but not as a Holdfast server does; check the host and the port",
                "holdfast://{echo} | the server does not speak HTTP; check the host and the port",
            })
    void aClusterAtAWrongServerIsReportedInOneLine(String server, String expected) {
        int code = server.contains("{http}") ? 64 : 69;
        Mistakes.assertRejected(code, "--connect-timeout 1s --node " + server + " cluster status", expected, WORDS);
    }
}
