package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.redis.script.AcquireCall;
import dev.holdfast.redis.script.Reply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of servers that are not plain answers. */
class AnswersTest {

    private static final AcquireCall CALL = new AcquireCall(
            AcquireRequest.forVote("lock:a", new OwnerId("a@b~00000000", 1, 0), LockMode.EX, 1000, 1000, 1), 1000, 1);

    static Stream<List<?>> nonsense() {
        return Stream.of(
                List.of(),
                List.of(1L),
                List.of("OK"),
                List.of("GRANTED"),
                List.of("GRANTED", List.of(), "", "0"),
                List.of("GRANTED", "1", "no owner", "0"),
                List.of("GRANTED", "1", "", ""),
                List.of("GRANTED", "1.5", "", "0"),
                Arrays.asList("GRANTED", null, "", "0"),
                List.of("QUEUED", "x", "1", 1L, "", "", 0L, "0"),
                List.of("QUEUED", 1L, "1", 99_999_999_999L, "", "", 0L, "0"),
                List.of("DENIED", 1L, "WHY", "", "", 0L, "0"),
                List.of("DENIED", 1L, "HELD", "NOBODY", "", 0L, "0"),
                List.of(List.of(List.of())));
    }

    @Test
    void anIntegerAloneIsAFence() {
        assertThat(CALL.answer(new Reply(42))).isEqualTo(new AcquireAnswer.Granted(42, null, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1L << 53, Long.MIN_VALUE, Long.MAX_VALUE})
    void anIntegerThatIsNoFenceIsNoAnswer(long number) {
        assertThatThrownBy(() -> CALL.answer(new Reply(number)))
                .isInstanceOf(Reply.UnexpectedReplyException.class)
                .hasMessageContaining("unexpected answer " + number);
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void nonsenseIsNoAnswer(List<?> reply) {
        assertThatThrownBy(() -> CALL.answer(new Reply(reply)))
                .isInstanceOf(Reply.UnexpectedReplyException.class)
                .hasMessageStartingWith("unexpected answer");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.      | busy         | true  | false
            LOADING Redis is loading the dataset in memory                                              | loading      | true  | false
            MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist      | save to disk | true  | false
            OOM command not allowed when used memory > 'maxmemory'. script: 3b5f, on @user_script:12.   | maxmemory    | true  | false
            ERR Error running script (call to f_3b5f): @user_script:9: @user_script: 9: -OOM command not allowed when used memory > 'maxmemory'. | maxmemory | true | false
            READONLY You can't write against a read only replica.                                       | replica      | true  | true
            NOAUTH Authentication required.                                                             | password     | true  | true
            WRONGPASS invalid username-password pair or user is disabled.                               | password     | true  | true
            NOPERM this user has no permissions to run the 'evalsha' command                            | right        | true  | true
            ERR The user executing the script can't run this command or subcommand script: 3b5f         | right        | false | true
            CLUSTERDOWN Hash slot not served                                                            | cluster      | true  | false
            MOVED 3999 127.0.0.1:6381                                                                   | redis-cluster | true | true
            NOREPLICAS Not enough good replicas to write.                                               | replicas     | true  | false
            NOSCRIPT No matching script. Please use EVAL.                                               | no longer has the script | true  | false
            ERR max number of clients reached                                                           | clients      | true  | false
            WRONGTYPE Operation against a key holding the wrong kind of value                           | WRONGTYPE    | false | false
            ERR Error running script (call to f_3b5f): @user_script:9: attempt to index a nil value     | script       | false | false
            """)
    void errorsOfServersAreToldApart(String message, String words, boolean executedNothing, boolean setup) {
        ServerProblem problem = ServerProblem.of(new RedisCommandExecutionException(message));
        assertThat(problem.reason()).contains(words);
        assertThat(problem.executedNothing()).isEqualTo(executedNothing);
        assertThat(problem.setup()).isEqualTo(setup);
    }

    @Test
    void aConnectionThatEndsIsToldInWords() {
        assertThat(List.of(new ClosedChannelException(), new CancellationException()))
                .allSatisfy(thrown -> assertThat(ServerProblem.of(new CompletionException(new RedisException(thrown))))
                        .isEqualTo(new ServerProblem("the connection was closed", false, false)));
    }

    @Test
    void aWrongKeyOfTheClientIsNamed() {
        SSLException alert = new SSLHandshakeException("Received fatal alert: decrypt_error");

        assertThat(ServerProblem.of(new RedisException(alert)).reason())
                .isEqualTo("TLS failed: the key is not that of the client certificate (clientCertificate)");
    }

    @Test
    void aFailureWithoutAReasonHasAHintAtTls() {
        RedisException noMember = new RedisException("Cannot retrieve cluster partitions from []");
        RedisException unknownHost = new RedisException("Cannot retrieve cluster partitions from []");
        unknownHost.addSuppressed(new CompletionException(new UnknownHostException("a")));

        assertThat(ServerProblem.of(new RedisException(new TimeoutException())).isNoAnswer())
                .isTrue();
        assertThat(ServerProblem.of(noMember).withHint("write rediss://").reason())
                .isEqualTo("no member of the cluster answers at these addresses; write rediss://");
        assertThat(ServerProblem.of(unknownHost).withHint("write rediss://").reason())
                .isEqualTo("the host is unknown; check its name");
    }
}
