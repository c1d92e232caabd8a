package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong command line ends with a message of one line and a specific exit code, before the command sends a request or acquires a lock. */
class WrongUsageTest {

    private record Result(int exitCode, String err) {}

    private static Result run(List<String> arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return new Result(Main.run(arguments.toArray(String[]::new)), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(before);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "run | Missing required parameters: 'NAME', 'COMMAND'",
                "run x | Missing required parameter: 'COMMAND'",
                "run x -- | Missing required parameter: 'COMMAND'",
                "run EMPTY -- true | name is empty",
                "run LONG -- true | has 1048581 bytes with the key prefix, but may have 1024",
                "run NEWLINE -- true | control character U+000A",
                "run NUL -- true | control character U+0000",
                "run a{b -- true | braces that are no hash tag",
                "run HALF -- true | half a surrogate pair",
                "run LOST -- true | not UTF-8",
                "run --mode XX x -- true | expected one of [NL, CR, CW, PR, PW, EX]",
                "run --ttl 0 x -- true | ttl is 0 ms, but must be from 50 ms to 24 h",
                "run --ttl -1 x -- true | '-1' is not a duration",
                "run --ttl 25h x -- true | ttl is 25 h, but must be from 50 ms to 24 h",
                "run --ttl 9223372036854775807 x -- true | is not a duration",
                "run --ttl 999999999999999999 x -- true | is too long",
                "run --ttl 90ms --node-timeout 50ms x -- true | must be at least twice the node timeout",
                "run --max-hold 1ms x -- true | maxHold is 1 ms",
                "run -w -1 x -- true | '-1' is not a duration",
                "run -w x -- true | 'x' is not a duration",
                "run -n -w 1 x -- true | mutually exclusive",
                "run -s --mode EX x -- true | mutually exclusive",
                "run --on-lost maybe x -- true | expected one of [TERM, KILL, WARN]",
                "run -E 256 x -- true | '256' is out of range; it must be a whole number from 0 to 255",
                "run -E x x -- true | 'x' is not a number; it must be a whole number from 0 to 255",
                "run -E 1.5 x -- true | '1.5' is not a number; it must be a whole number from 0 to 255",
                "run -E 99999999999 x -- true | '99999999999' is out of range; it must be a whole number from 0 to 255",
                "run -c x -- a b | -c takes one string, but got 2 arguments",
                "run --nope x -- true | Unknown option: '--nope'",
                "status | Missing required parameter: 'NAME'",
                "status a b | Unmatched argument at index 4: 'b'",
                "status EMPTY | name is empty",
                "list --limit 0 | '0' is out of range; it must be a whole number from 1 to 10000",
                "list --limit abc | 'abc' is not a number; it must be a whole number from 1 to 10000",
                "break x | Missing required options: '--token=N', '--reason=TEXT'",
                "break x --token 0 --reason y --yes | '0' is out of range; it must be a whole number from 1 to 9007199254740991",
                "break x --token abc --reason y | 'abc' is not a number; it must be a whole number from 1 to 9007199254740991",
                "break x --token 99999999999999999999 --reason y | '99999999999999999999' is out of range",
                "break x --token LONG --reason y | is not a number; it must be a whole number from 1 to 9007199254740991",
                "serve --port abc | 'abc' is not a number; it must be a whole number from 0 to 65535",
                "serve --port 65536 | '65536' is out of range; it must be a whole number from 0 to 65535",
                "serve --session-grace 1ms | sessionGrace is 1 ms, but must be from 500 ms to 10 min",
                "dev up abc | 'abc' is not a number; it must be a whole number from 1 to 31",
                "dev up 32 | '32' is out of range; it must be a whole number from 1 to 31",
                "dev kill abc | 'abc' is not a number; it must be a whole number from 1 to 31",
                "dev pause 0 | '0' is out of range; it must be a whole number from 1 to 31",
                "dev resume 32 | '32' is out of range; it must be a whole number from 1 to 31",
                "dev restart x | 'x' is not a number; it must be a whole number from 1 to 31",
                "--no-quorum-timeout 1ms status y | noQuorumTimeout is 1 ms, but must be 1 s or more",
                "break x --token 1 --reason BLANK --yes | it must not be blank",
                "break x --token 1 --reason y | add --yes to break it",
                "frobnicate | Unmatched argument",
                "--node http://x status y | has the scheme 'http'",
                "--node redis://u:secret@ status y | is not the URI",
                "--node redis://a:1 --node redis://a:1 status y | given twice",
                "--config /no/such/file status y | does not exist",
                "--tls-cert x status y | belong together",
                "--connect-timeout 1h status y | connectTimeout is 1 h",
            })
    void isSaidInOneLine(String line, String expected) {
        List<String> arguments = new ArrayList<>();
        if (!line.startsWith("--node") && !line.startsWith("--config")) {
            arguments.addAll(List.of("--node", "memory:wrong-usage"));
        }
        for (String word : line.split(" ")) {
            arguments.add(
                    switch (word) {
                        case "EMPTY" -> "";
                        case "BLANK" -> " ";
                        case "LONG" -> "x".repeat(1 << 20);
                        case "NEWLINE" -> "a\nb";
                        case "NUL" -> "a\0b";
                        case "HALF" -> "a\ud800b";
                        case "LOST" -> "a\ufffdb";
                        default -> word;
                    });
        }

        Result result = run(arguments);

        assertThat(result.err())
                .hasLineCount(1)
                .startsWith("holdfast: ")
                .contains(expected)
                .doesNotContain("secret");
        assertThat(result.err().length()).isLessThan(600);
        assertThat(result.exitCode()).isEqualTo(64);
    }
}
