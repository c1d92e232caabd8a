package dev.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.LockMode;
import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.LockValue;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import dev.holdfast.node.Seal;
import dev.holdfast.node.Ticket;
import dev.holdfast.testkit.Fuzz;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every request has the keys and the arguments that its script expects. */
class ScriptCallTest {

    private static String ours(ScriptCall<?> call, boolean byName) {
        ByteBuf bytes = Unpooled.buffer();
        new Command<>(
                        byName ? CommandType.EVALSHA : CommandType.EVAL,
                        new StatusOutput<>(StringCodec.UTF8),
                        call.commandArgs(byName))
                .encode(bytes);
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    private static String lettuces(ScriptCall<?> call, boolean byName, List<String> arguments) {
        String[] keys = LockKeys.of(call.resource());
        if (call.script() == LuaScript.ACQUIRE_ALONE) {
            keys = new String[] {keys[0], keys[1], keys[9], keys[11]};
        } else if (call.script() == LuaScript.RELEASE_ALONE) {
            keys = new String[] {keys[0], keys[9]};
        }
        CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8)
                .add(byName ? call.script().sha1() : call.script().text())
                .add(keys.length)
                .addKeys(keys)
                .addValues(arguments);
        ByteBuf bytes = Unpooled.buffer();
        new Command<>(byName ? CommandType.EVALSHA : CommandType.EVAL, new StatusOutput<>(StringCodec.UTF8), all)
                .encode(bytes);
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void everyRequestHasTheKeysAndArgumentsOfItsScript() {
        Fuzz.check("ScriptCallTest", 20_000, input -> {
            String any = input.text("lock:a", "lock:{tag}:x", "löck:{ä}:\uD83D\uDD12", "{}", "}{", "x".repeat(700));
            String resource =
                    StandardCharsets.UTF_8.newEncoder().canEncode(any) ? any : "lock:a"; // LockNames ensures it
            OwnerId owner = new OwnerId(
                    "a@b~00000000", Math.floorMod(input.number(), Ticket.LARGEST_TIME), input.below(1_000_000_000));
            boolean byName = input.chance(50);
            long ttl = 1 + input.below(Integer.MAX_VALUE);
            long waiterTtl = 1 + input.below(100_000);
            LockMode mode = input.pick(LockMode.values());
            boolean queue = input.chance(50);
            int tokens = 1 + input.below(3);
            long floor = input.chance(50) ? 0 : Math.floorMod(input.number(), Ticket.LARGEST_TIME);
            boolean heal = input.chance(50);
            LockValue value = floor == 0 || input.chance(50)
                    ? null
                    : new LockValue(
                            floor, tokens, StandardCharsets.UTF_8.newEncoder().canEncode(any) ? any : "x");
            AcquireCall acquire = new AcquireCall(
                    new AcquireRequest(
                            resource,
                            owner,
                            mode,
                            new AcquireRequest.Terms(ttl, waiterTtl, tokens),
                            queue,
                            new AcquireRequest.Update(floor, heal, value)),
                    1000,
                    77);
            boolean plain = mode == LockMode.EX && tokens == 1 && floor == 0 && !heal;
            List<String> plainly = List.of("" + owner, "" + ttl, "1000", "77", queue ? "" + waiterTtl : "0");
            List<String> more = joined(
                    List.of("" + mode, "" + tokens, "" + floor, heal ? "1" : "0"),
                    value == null,
                    value == null ? List.of() : List.of("" + floor, "" + tokens, value.text()));
            assertThat(ours(acquire, byName)).isEqualTo(lettuces(acquire, byName, joined(plainly, plain, more)));
            AcquireCall acquireAlone = acquire.asAlone();
            assertThat(ours(acquireAlone, byName))
                    .isEqualTo(lettuces(
                            acquireAlone, byName, joined(plainly.subList(0, 4), tokens == 1, List.of("" + tokens))));

            long bury = input.chance(50) ? 0 : ttl;
            long seal = input.chance(50) ? 0 : waiterTtl;
            ReleaseCall release = new ReleaseCall(
                    new ReleaseRequest(resource, owner, bury, seal == 0 ? null : Seal.now(owner, seal), value),
                    1000,
                    77);
            List<String> ended = joined(
                    List.of("" + owner, "1000", "77"),
                    bury == 0 && seal == 0 && value == null,
                    List.of("" + bury, "" + seal));
            ended = joined(ended, seal == 0 && value == null, List.of("0", seal == 0 ? "" : "" + owner));
            ended = joined(
                    ended, value == null, value == null ? List.of() : List.of("" + floor, "" + tokens, value.text()));
            assertThat(ours(release, byName)).isEqualTo(lettuces(release, byName, ended));
            ReleaseCall releaseAlone = release.asAlone();
            assertThat(ours(releaseAlone, byName)).isEqualTo(lettuces(releaseAlone, byName, List.of("" + owner)));

            InspectCall inspect = new InspectCall(resource);
            assertThat(ours(inspect, byName)).isEqualTo(lettuces(inspect, byName, List.of()));
        });
    }

    private static List<String> joined(List<String> first, boolean enough, List<String> more) {
        return enough ? first : Stream.concat(first.stream(), more.stream()).toList();
    }
}
