package dev.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireAnswer;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.Epoch;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.Push;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Ticket;
import dev.holdfast.redis.connection.ServerInfo;
import dev.holdfast.redis.connection.ServerProblem;
import dev.holdfast.redis.script.AcquireCall;
import dev.holdfast.redis.script.InspectCall;
import dev.holdfast.redis.script.LockKeys;
import dev.holdfast.redis.script.PushMessage;
import dev.holdfast.redis.script.ReleaseCall;
import dev.holdfast.redis.script.Reply;
import dev.holdfast.redis.script.ScriptCall;
import dev.holdfast.testkit.Fuzz;
import dev.holdfast.testkit.FuzzedInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers and pushes of servers, valid, changed and made up: the result is an answer, or one line that names the expected form. */
@Tag("slow")
class AnswersFuzzTest {

    private static final OwnerId OWNER = new OwnerId("a@b~00000000", 1, 0);
    private static final AcquireCall ACQUIRE =
            new AcquireCall(AcquireRequest.forVote("lock:a", OWNER, LockMode.EX, 1000, 1000, 1), 1000, 1);
    private static final ReleaseCall RELEASE = new ReleaseCall(new ReleaseRequest("lock:a", OWNER, 0), 1000, 1);
    private static final InspectCall INSPECT = new InspectCall("lock:a");

    private static final List<List<Object>> VALID = List.of(
            List.of("GRANTED", "1849573", "", "1780000000000000"),
            List.of("GRANTED", "1849573", OWNER.toString(), "1780000000000000"),
            List.of("QUEUED", 900L, "1849573", 1L, "HOLDFAST", OWNER.toString(), 900L, "1780000000000000"),
            List.of("DENIED", 900L, "HELD", "FOREIGN", "token", -1L, "0"),
            List.of("SEALED", 1000L),
            List.of(
                    "1849573",
                    0L,
                    List.of("HOLDFAST", OWNER.toString(), "EX", "1849573", 900L),
                    List.of(OWNER.toString(), "PR", 800L)));

    private static final int DEEP = 20_000;

    private static Object part(FuzzedInput input) {
        return switch (input.below(9)) {
            case 0 -> null;
            case 1 -> input.number();
            case 2 -> Long.toString(input.number());
            case 3 -> List.of();
            case 4 -> input.text("GRANTED", "QUEUED", "HOLDFAST", "EX", OWNER.toString());
            case 5 -> input.chance(5) ? nested() : Boolean.TRUE;
            case 6 -> 1.5;
            case 7 -> input.chance(5) ? "x".repeat(1 << 20) : "";
            default -> new ArrayList<>(Arrays.asList(input.number(), null, input.text("x")));
        };
    }

    private static List<Object> nested() {
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < DEEP; i++) {
            deep = new ArrayList<>(Arrays.asList((Object) deep));
        }
        return deep;
    }

    private static Reply reply(FuzzedInput input) {
        return input.chance(5) ? new Reply(input.pick(input.number(), 0L, 1L, 1849573L)) : new Reply(parts(input));
    }

    private static List<Object> parts(FuzzedInput input) {
        List<Object> reply = new ArrayList<>(VALID.get(input.below(VALID.size())));
        for (int changes = input.below(4); changes > 0; changes--) {
            int at = input.below(reply.size() + 1);
            switch (input.below(3)) {
                case 0 -> reply.add(at, part(input));
                case 1 -> reply.subList(at, reply.size()).clear();
                default -> {
                    if (at < reply.size()) {
                        reply.set(at, part(input));
                    }
                }
            }
        }
        return reply;
    }

    @Test
    void anAnswerIsUnderstoodOrSaidToBeUnexpected() {
        Fuzz.check("AnswersFuzzTest#anAnswer*", 100_000, input -> {
            Reply reply = reply(input);
            ScriptCall<?> call = input.pick(ACQUIRE, RELEASE, INSPECT);
            try {
                Object answer = call.answer(reply);
                if (answer instanceof AcquireAnswer acquired) {
                    checkSane(acquired);
                }
            } catch (Reply.UnexpectedReplyException e) {
                assertThat(e.getMessage())
                        .startsWith("unexpected answer")
                        .hasSizeLessThan(300)
                        .doesNotContain("\n");
            }
        });
    }

    /** Impossible values must not reach the protocol: a fence out of range, a time that never ends. */
    private static void checkSane(AcquireAnswer answer) {
        if (answer instanceof AcquireAnswer.Granted granted) {
            assertThat(granted.fence()).isBetween(0L, Ticket.LARGEST_TIME);
        } else if (answer instanceof AcquireAnswer.Queued queued) {
            assertThat(queued.fence()).isBetween(0L, Ticket.LARGEST_TIME);
            assertThat(queued.place()).isNotNegative();
        } else if (answer instanceof AcquireAnswer.Sealed sealed) {
            assertThat(sealed.seal().remainingMillis().orElse(0)).isNotNegative();
            assertThat(sealed.seal().agoMillis()).isNotNegative();
            assertThat(sealed.seal().by()).hasSizeLessThan(200);
        }
    }

    @Test
    void aPushIsUnderstoodOrIsNone() {
        String granted = "granted\n" + OWNER + "\n1849573\nlock:a";
        String contended = "contended\n" + OWNER + "\n1849573\n" + OWNER + "\nlock:a\nb";
        String with = "granted-with\n" + OWNER + "\n1849573\n1849573|1|100 %25%0A|x\nlock:a";
        Fuzz.check("AnswersFuzzTest#aPush*", 100_000, input -> {
            String text = input.text(granted, contended, with, "granted\n" + OWNER);
            Optional<Push> push = PushMessage.parse(text);
            push.ifPresent(told -> {
                assertThat(told.fence()).isBetween(0L, Ticket.LARGEST_TIME);
                assertThat(told.resource()).isNotEmpty();
                assertThat(text).endsWith("\n" + told.resource()).startsWith(beginning(told));
            });
        });
    }

    private static String beginning(Push push) {
        return (push instanceof Push.Granted ? "granted" : "contended")
                + (push.value() == null ? "\n" : "-with\n")
                + push.owner().client() + "/";
    }

    @Test
    void theEpochIsReadAsItIsWritten() {
        Fuzz.check("AnswersFuzzTest#theEpoch*", 50_000, input -> {
            String text = input.text("4f2a/0b1c/1780000000000", "4f2a/0b1c", "4f2a/clean");
            Epoch.parse(text)
                    .ifPresent(
                            epoch -> assertThat(Epoch.parse(epoch.toString())).contains(epoch));
        });
    }

    @Test
    void whatAServerSaysOfItselfIsTakenAsFarAsItGoes() {
        String info = "# Server\r\nredis_version:7.0.15\r\nrun_id:4f2a\r\nuptime_in_seconds:77\r\nrole:master\r\n"
                + "maxmemory:100\r\nmaxmemory_policy:allkeys-lru\r\nconnected_slaves:1\r\nredis_mode:standalone";
        Fuzz.check("AnswersFuzzTest#whatAServer*", 50_000, input -> {
            ServerInfo read = new ServerInfo(List.of(input.text(info), input.text("", info)));
            assertThat(read.uptimeMillis().orElse(0)).isNotNegative();
            assertThat(read.warnings())
                    .allSatisfy(warning -> assertThat(warning)
                            .hasSizeLessThan(400)
                            .doesNotContain("\n")
                            .doesNotContain("\0"));
            assertThat(read.version() == null || read.version().length() < 200).isTrue();
        });
    }

    @Test
    void aLockIsFoundAgainByItsSideKeys() {
        Fuzz.check("AnswersFuzzTest#aLock*", 50_000, input -> {
            String lock = input.text("lock:orders:42", "lock:{group}name", "a}b", "{");
            String[] keys = LockKeys.of(lock);
            assertThat(keys).doesNotHaveDuplicates();
            boolean usual = lock.indexOf('{') < 0 && lock.indexOf('}') < 0 && !lock.isEmpty();
            for (String key : keys) {
                Optional<String> found = LockKeys.lockInUse(key);
                assertThat(usual && found.isPresent() && !found.get().equals(lock))
                        .isFalse();
            }
        });
    }

    @Test
    void anErrorOfAServerIsOneShortLine() {
        Fuzz.check("AnswersFuzzTest#anError*", 50_000, input -> {
            String message =
                    input.text("OOM command not allowed", "ERR Error running script: -READONLY x", "BUSY", "NOAUTH x");
            String reason = ServerProblem.of(new io.lettuce.core.RedisCommandExecutionException(message))
                    .reason();
            assertThat(reason)
                    .isNotEmpty()
                    .hasSizeLessThan(400)
                    .doesNotContain("\n")
                    .doesNotContain("\0");
        });
    }
}
