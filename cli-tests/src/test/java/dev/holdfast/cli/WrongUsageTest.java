package dev.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that mistakes in arguments, settings and files are rejected in one plain line, before any node is asked. */
class WrongUsageTest {

    private static final Map<String, String> WORDS = new HashMap<>();

    @TempDir
    private static Path folder;

    @BeforeAll
    static void writeFiles() throws IOException {
        WORDS.put("empty", "");
        WORDS.put("blank", " ");
        WORDS.put("long", "x".repeat(1 << 20));
        WORDS.put("unknown", Mistakes.UNKNOWN_HOST);
        WORDS.put("newline", "a\nb");
        WORDS.put("nul", "a\0b");
        WORDS.put("half", "a\ud800b");
        WORDS.put("lost", "a\ufffdb");
        WORDS.put("no-file", folder.resolve("missing").toString());
        WORDS.put("folder", folder.toString());
        WORDS.put(
                "text",
                Files.writeString(folder.resolve("text"), "secret words").toString());
        WORDS.put(
                "bytes",
                Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, (byte) 0xfe})
                        .toString());
        file("bad-key", "nodez = redis://a:1");
        file("bad-ttl", "ttl = soon");
        file("long-ttl", "ttl = 25h");
        file("twice", "ttl = 5s\nttl: 9s");
        file("two-nodes", "nodes = redis://a;redis://b");
        file("no-nodes", "nodes =");
        file("bad-password-file", "password-file = missing");
        file("no-pem", "tls-ca = text");
        file("no-https", "https-cert = text\nhttps-key = bytes");
        file("bad-escape", "nodes = \\u12");
    }

    private static void file(String name, String line) throws IOException {
        WORDS.put(name, Files.writeString(folder.resolve(name), line).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "run | NAME is missing; see 'holdfast run --help'",
                "run x | COMMAND is missing",
                "run x -- | COMMAND is missing",
                "run {empty} -- true | name is empty",
                "run {long} -- true | has 1048581 bytes with the key prefix, but may have 1024",
                "run {newline} -- true | control character U+000A",
                "run {nul} -- true | control character U+0000",
                "run a{b -- true | braces that are not a hash tag",
                "run {half} -- true | half a surrogate pair",
                "run {lost} -- true | not UTF-8",
                "run x -- {lost} | not UTF-8",
                "run --mode XX x -- true | --mode: 'XX' is not one of NL, CR, CW, PR, PW, EX",
                "run --ttl 0 x -- true | --ttl 0 is out of range: it must be from 50 ms to 24 h",
                "run --ttl -1 x -- true | --ttl: '-1' is not a duration",
                "run --ttl=25h x -- true | --ttl 25h is out of range: it must be from 50 ms to 24 h",
                "run --ttl 9223372036854775807 x -- true | is not a duration",
                "run --ttl 999999999999999999 x -- true | is too long",
                "run --ttl 1.5ms x -- true | is not a whole number of milliseconds",
                "run --ttl {empty} x -- true | --ttl: '' is not a duration",
                "run --ttl 5x x -- true | write 500ms, 30s, 5m, 1h, 2d, or plain seconds",
                "run --ttl 5x x -- true | or plain seconds; see 'holdfast run --help'",
                "run --ttl 90ms --node-timeout 50ms x -- true | --ttl 90ms is too short: it must be at least twice the node timeout, which is 50ms",
                "--node-timeout 60s run --ttl 1s x true | --ttl 1s is too short: it must be at least twice the node timeout, which is 60s",
                "--node-timeout 60s run x true | --node-timeout 60s is too long: it must be at most half of the ttl, which is 30 s",
                "--node-timeout 2h status x | --node-timeout 2h is out of range: it must be from 1 ms to 60 s",
                "--connect-timeout 1h status y | --connect-timeout 1h is out of range: it must be from 10 ms to 60 s",
                "--no-quorum-timeout 1ms status y | --no-quorum-timeout 1ms is out of range: it must be 1 s or more",
                "--restart-quarantine 25h status y | --restart-quarantine 25h is out of range: it must be from 0 ms to 24 h",
                "run --max-hold 1ms x -- true | --max-hold 1ms is out of range: it must be 50 ms or more",
                "run --label {long} x -- true | but must have 200 characters at most, none of them invisible, and not only spaces",
                "run --max-hold 99999d x -- true | --max-hold: '99999d' is too long",
                "run --grace -1 x true | --grace: '-1' is not a duration",
                "run --ttl | --ttl needs a value: --ttl DUR",
                "run -w | -w needs a value: -w DUR",
                "run -E | -E needs a value: -E CODE",
                "run --ttl 1s --ttl 2s x true | --ttl is given twice; give it once",
                "run -q -q x true | -q is given twice; give it once",
                "run -w 5 -w 6 x true | -w is given twice; give it once",
                "run -n -n x true | -n is given twice; give it once",
                "run --shared --shared x true | --shared is given twice; give it once",
                "run -w -1 x -- true | -w: '-1' is not a duration",
                "run --wait -1 x -- true | --wait: '-1' is not a duration",
                "run --timeout=-1 x -- true | --timeout: '-1' is not a duration",
                "run -w x -- true | -w: 'x' is not a duration",
                "run -wx y true | -w: 'x' is not a duration",
                "run -n -w 1 x -- true | -n and -w exclude each other; give only one of them",
                "run --nb --timeout=1 x -- true | --nb and --timeout exclude each other",
                "run -s --mode EX x -- true | -s and --mode exclude each other",
                "run --exclusive --shared x -- true | --shared and --exclusive exclude each other",
                "run --shared=maybe x true | --shared takes no value",
                "run --on-lost maybe x -- true | --on-lost: 'maybe' is not one of term, kill, warn",
                "run -E 256 x -- true | -E: '256' is out of range; it must be a whole number from 0 to 255",
                "run -E x x -- true | -E: 'x' is not a number; it must be a whole number from 0 to 255",
                "run -E 1.5 x -- true | -E: '1.5' is not a number; it must be a whole number from 0 to 255",
                "run --conflict-exit-code -1 x -- true | --conflict-exit-code: '-1' is out of range",
                "run -E 99999999999 x -- true | -E: '99999999999' is out of range",
                "run -c x -- a b | -c takes one string, but got 2 arguments",
                "run --nonsense x -- true | there is no option --nonsense; see 'holdfast run --help'",
                "run --tll 5s x -- true | there is no option --tll; did you mean --ttl? See 'holdfast run --help'",
                "run -Z x true | there is no option -Z; see 'holdfast run --help'",
                "elect --restart sometimes x true | --restart: 'sometimes' is not one of never, on-failure, always",
                "elect x | COMMAND is missing",
                "elect --ttl 1ms x true | --ttl 1ms is out of range: it must be from 50 ms to 24 h",
                "elect --candidate {empty} x true | --candidate is '', but must have 1 to 100 bytes",
                "elect -n x true | there is no option -n; see 'holdfast elect --help'",
                "status | NAME is missing; see 'holdfast status --help'",
                "status a b | the argument 'b' is one too many: 'status' takes only NAME",
                "status {empty} | name is empty",
                "status --json=5 x | --json takes no value",
                "status --jsn x | there is no option --jsn; did you mean --json?",
                "status --node | --node needs a value: --node URI",
                "nodes x | the argument 'x' is one too many: 'nodes' takes options only",
                "list a b | the argument 'b' is one too many: 'list' takes only PREFIX",
                "list --limit 0 | --limit: '0' is out of range; it must be a whole number from 1 to 10000",
                "list --limit abc | --limit: 'abc' is not a number; it must be a whole number from 1 to 10000",
                "break x | --token N and --reason TEXT are missing",
                "break x --token 5 | --reason TEXT is missing",
                "break --token 5 --reason y | NAME is missing",
                "break x --token 0 --reason y --yes | --token: '0' is out of range; it must be a whole number from 1 to 9007199254740991",
                "break x --token abc --reason y | --token: 'abc' is not a number",
                "break x --token 99999999999999999999 --reason y | '99999999999999999999' is out of range",
                "break x --token {long} --reason y | is not a number; it must be a whole number from 1 to 9007199254740991",
                "break x --token 1 --reason {blank} --yes | it must not be blank",
                "break x --token 1 --reason {empty} --yes | --reason is '', but it must not be blank",
                "serve --port abc | --port: 'abc' is not a number; it must be a whole number from 0 to 65535",
                "serve --port 65536 | --port: '65536' is out of range; it must be a whole number from 0 to 65535",
                "serve --session-grace 1ms | --session-grace 1ms is out of range: it must be from 500 ms to 10 min",
                "serve --port 0 --data {empty} | --data: the path is empty",
                "serve --port 0 --host {empty} | --host is '', but must be an address or a name of this machine",
                "serve --port 0 --history 3d | --history has no effect without --data, which keeps the history; add --data",
                "serve --grace 1y | --grace: '1y' is not a duration",
                "serve --https-cert {text} | --https-cert and --https-key belong together",
                "serve --name a | --name, --servers, --create, --join, --groups and --peer-keys are for a server of a cluster",
                "serve --cluster shop --name a --servers a=localhost --data {folder}/d --create --join | either creates a cluster",
                "cluster status | its scheme is neither holdfast nor holdfasts",
                "cluster add b --node holdfast://a | HOST:PEERPORT is missing",
                "cluster transfer --node holdfast://a | NAME is missing",
                "cluster frob --node holdfast://a | there is no command 'frob'; the commands are add, backup, remove, restore, status, transfer",
                "serve --cluster shop | a server of a cluster needs --cluster, --name, --servers and --data",
                "serve --cluster shop --name a --servers a --data {folder}/d | 'a' in --servers is not a server; write NAME=HOST",
                "serve --cluster shop --name a --servers a=h:0 --data {folder}/d | a port in --servers is 0; it must be from 1",
                "serve --cluster shop --name a --servers a=h,a=i --data {folder}/d | --servers has two servers called a",
                "serve --cluster shop --name d --servers a=localhost --data {folder}/d | name is 'd', but the peers are a",
                "serve --cluster 7 --name a --servers a=localhost --data {folder}/d | --cluster is '7'; it must have 1 to 40 letters",
                "serve --cluster shop --name a --servers a=localhost --data {folder}/d --groups 0 | --groups 0 is out of range: it must be between 1 and",
                "serve --cluster shop --name a --servers a=localhost --data {folder}/d --groups two | --groups: 'two' is not a whole number",
                "serve --cluster shop --name a --servers a=10.0.0.1 --data {folder}/d | servers on several machines need TLS",
                "serve --cluster shop --name a --servers a=localhost --data {folder}/d --peer-keys {no-file} | set HOLDFAST_PEER_KEYS_PASSWORD",
                "serve --cluster shop --name a --servers a=localhost --data {folder}/d --node redis://u:secret@b | locks on its cluster",
                "serve --port 0 --host {unknown} | but this host is unknown; choose another one with --host",
                "serve --port 0 --https-cert {no-file} --https-key {text} | --https-cert: the file",
                "serve --port 0 --https-cert {text} --https-key {no-file} | --https-key: the file",
                "serve --port 0 --https-cert {text} --https-key {bytes} | --https-cert: the file",
                "serve --port 0 --https-cert {text} --https-key {text} | --https-cert and --https-key: the file",
                "serve --port 0 --config {no-https} | https-cert: the file",
                "bootstrap --node holdfast://a,b,c --yes | is a strict cluster, which needs no bootstrap; repeat --node for each",
                "bootstrap --node holdfast://a,,c --yes | it has no host at one of its commas",
                "dev frob | there is no command 'frob'; the commands are cluster, down, kill, pause",
                "dev pasue 1 | there is no command 'pasue'; did you mean pause? See 'holdfast dev --help'",
                "dev up abc | N: 'abc' is not a number; it must be a whole number from 1 to 31",
                "dev up 32 | N: '32' is out of range; it must be a whole number from 1 to 31",
                "dev kill | I is missing",
                "dev kill abc | I: 'abc' is not a number; it must be a whole number from 1 to 31",
                "dev pause 0 | '0' is out of range; it must be a whole number from 1 to 31",
                "dev resume 32 | '32' is out of range; it must be a whole number from 1 to 31",
                "dev restart x | 'x' is not a number; it must be a whole number from 1 to 31",
                "watch | only a lock server reports events, and this node is not one",
                "frobnicate | there is no command 'frobnicate'; the commands are run, elect, status",
                "stauts x | there is no command 'stauts'; did you mean status? See 'holdfast --help'",
                "RUN x true | there is no command 'RUN'; did you mean run?",
                "stauts run | there is no command 'stauts'; did you mean status? See 'holdfast --help'",
                "break x --tokn 5 --reason y | there is no option --tokn; did you mean --token?",
                "break --tokn=5 --reasn=x y | there is no option --tokn; did you mean --token?",
                "status --jso | there is no option --jso; did you mean --json? See 'holdfast status --help'",
                "noeds | there is no command 'noeds'; did you mean nodes?",
                "{empty} | there is no command ''; the commands are",
                "--vresion | there is no option --vresion; did you mean --version?",
                "--max-hold 1s run x true | --max-hold is an option of 'run'; write it after the command",
                "--ttl 1s run x true | --ttl is an option of 'run', 'elect', 'doctor'; write it after the command",
                "--node http://x status y | has the scheme 'http', but must begin with one of",
                "--node localhost:6379 status y | must begin with one of",
                "--node {empty} status y | has no scheme",
                "--node redis:// status y | the host is missing",
                "--node redis://a:x status y | the port is 'x', but must be a number from 1 to 65535",
                "--node redis://a:99999 status y | the port is '99999', but must be a number from 1 to 65535",
                "--node redis://a,redis://b status y | 'redis://a,redis://b' is more than one node: repeat --node for each",
                "--node redis://:secret@a,redis://:secret@b:1 status y | 'redis://…@a,redis://…@b:1' is more than one node",
                "--node redis://:sec/r@t@a,redis://b,redis://u:sec,ret@c status y | 'redis://…@a,redis://b,redis://…@c' is more than one node",
                "--node redis://a/x status y | the database is 'x', but must be a number from 0 to 65535",
                "--node redis://a?x=1 status y | is not the URI",
                "--node redis://u:secret@ status y | is not the URI",
                "--node redis://u:sec/ret@a status y | in a user or a password write %2F",
                "--node redis-sentinel://a status y | the name of the master is missing: end with '?master=name'",
                "--node redis-cluster://a/1 status y | a Redis Cluster has no database 1",
                "--node holdfast://a:99999 status y | its port is 99999, but must be from 1 to 65535",
                "--node holdfast://a/path status y | it has more than a host and a port",
                "--node holdfast://secret@a status y | must be a colon and a token",
                "--node redis://a:1 --node redis://a:1 status y | given twice",
                "--username bob status y | user 'bob' has no password: set HOLDFAST_PASSWORD or --password-file",
                "--password-file {no-file} status y | does not exist",
                "--password-file {folder} status y | is a directory",
                "--password-file {bytes} status y | is not UTF-8 text",
                "--config /no/such/file status y | does not exist",
                "--config {folder} status y | is a directory",
                "--config= status y | --config: the path is empty",
                "--tls-ca= status y | --tls-ca: the path is empty",
                "--config {bytes} status y | is not UTF-8 text",
                "--config {nul} status y | is not a valid path",
                "--config {bad-key} status y | unknown key 'nodez'",
                "--config {bad-ttl} status y | ttl: 'soon' is not a duration",
                "--config {long-ttl} status y | ttl is 25 h, but must be from 50 ms to 24 h",
                "--config {bad-password-file} status y | missing does not exist",
                "--config {bad-escape} status y | cannot be read",
                "--config {twice} status y | the key 'ttl' is set more than once; keep one of its lines",
                "--config {two-nodes} status y | 'redis://a;redis://b' is more than one node: repeat --node for each, or put a comma",
                "--config {no-pem} status y | it has no certificate",
                "--tls-ca {no-file} status y | --tls-ca: the file",
                "--tls-ca {folder} status y | it is a directory",
                "--tls-ca {text} status y | it has no certificate",
                "--tls-cert {text} status y | --tls-cert and --tls-key belong together",
                "--tls-cert {text} --tls-key {text} status y | --tls-cert: the file",
                "--key-prefix {newline} status y | --key-prefix 'a\\u000Ab' holds the control character",
                "--key-prefix a{b status y | --key-prefix 'a{b' has braces that are not a hash tag",
            })
    void isRejectedInOneLine(String line, String expected) {
        boolean named = line.startsWith("--node") || line.matches("--config \\{(no|two)-nodes}.*");
        boolean ownPlace = line.matches("--(max-hold|ttl|vresion).*|frobnicate|stauts.*|RUN.*|noeds|\\{empty}");
        String words = named && !line.startsWith("--node-") || ownPlace ? line : "--node memory:wrong-usage " + line;
        Mistakes.assertRejected(64, words, expected, WORDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127 | run x no-such-command-here | command not found: 'no-such-command-here'",
                "127 | elect x no-such-command-here | command not found: 'no-such-command-here'",
                "126 | run x {folder} | command cannot be run",
                "126 | run x {text} | permission denied",
                "127 | run x {no-file} | command not found",
                "69 | serve --port 0 --host {unknown} --insecure | this host is unknown; choose another one with --host",
                "69 | serve --port 0 --host 192.0.2.1 --insecure | this machine has no such address; choose another one with --host",
                "69 | serve --port 0 --data {text} | is a file, not a folder",
                "69 | serve --port 0 --data {text}/below | cannot be used: Not a directory",
                "64 | serve --port 0 --host 0.0.0.0 | there are no tokens",
                "64 | serve --port 0 --host 8.8.8.8 | --host is 8.8.8.8, which other machines can reach, but there are no tokens: set tokens in the config file, or add --insecure",
                "1 | break x --token 7 --reason y --yes | no lease of 'x' with token 7 was found",
            })
    void isRejectedWithItsOwnExitCode(int code, String line, String expected) {
        boolean own = line.startsWith("serve");
        Mistakes.assertRejected(code, own ? line : "--node memory:wrong-usage " + line, expected, WORDS);
    }
}
