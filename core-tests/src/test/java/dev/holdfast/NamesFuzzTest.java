package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.DistributedLock;
import dev.holdfast.node.NodeOptions;
import dev.holdfast.node.OwnerId;
import dev.holdfast.testkit.Fuzz;
import dev.holdfast.testkit.FuzzedInput;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names, prefixes, owner ids and durations, valid ones changed and made up: taken as they are, or refused in one line. */
@Tag("slow")
class NamesFuzzTest {

    private static void checkRefusal(IllegalArgumentException e) {
        assertThat(e.getMessage()).hasSizeBetween(20, 600).doesNotContain("\n").doesNotContain("\0");
    }

    @Test
    void namesAreTakenAsTheyAreOrRefused() {
        Fuzz.check("NamesFuzzTest#names*", 30_000, input -> {
            String prefix = input.text("lock:", "", "{group}:");
            String name = input.text("orders:42", "{orders}42", "x".repeat(1_000));
            if (input.chance(1)) {
                name = name.repeat(1_000);
            }
            try (Holdfast holdfast =
                    Holdfast.builder().nodes("memory:fuzz").keyPrefix(prefix).build()) {
                DistributedLock lock = holdfast.lock(name);
                assertThat(lock.name()).isEqualTo(name);
                String key = prefix + name;
                assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(key)).isTrue();
                assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1, 1024);
                assertThat(key.chars().noneMatch(Character::isISOControl)).isTrue();
            } catch (IllegalArgumentException e) {
                checkRefusal(e);
            }
        });
    }

    @Test
    void ownerIdsAreReadAsTheyAreWritten() {
        Fuzz.check("NamesFuzzTest#ownerIds*", 100_000, input -> {
            String text = input.text("billing@host-7~a1b2c3d4/1780000000000000/3", "a~00000000/0/0");
            Optional<OwnerId> owner = OwnerId.parse(text);
            owner.ifPresent(id -> assertThat(OwnerId.parse(id.toString())).contains(id));
            owner.ifPresent(id -> assertThat(id.displayName()).isNotEmpty());
        });
    }

    @Test
    void clientNamesMakeOwnerIds() {
        Fuzz.check("NamesFuzzTest#clientNames*", 3_000, input -> {
            String name = input.text("billing", "a.b-c_d:e", "x".repeat(60));
            try (Holdfast holdfast =
                    Holdfast.builder().nodes("memory:fuzz").clientName(name).build()) {
                assertThat(holdfast.admin().nodeNames()).hasSize(1);
            } catch (IllegalArgumentException e) {
                checkRefusal(e);
            }
        });
    }

    private static Duration duration(FuzzedInput input) {
        return switch (input.below(5)) {
            case 0 -> Duration.ofSeconds(input.number());
            case 1 -> Duration.ofMillis(input.number());
            case 2 -> Duration.ofNanos(input.number());
            case 3 -> Duration.ofSeconds(Long.MIN_VALUE);
            default -> Duration.ofSeconds(input.below(100), input.below(1_000_000_000));
        };
    }

    @Test
    void durationsAreTakenOrRefusedWithTheirRange() {
        Holdfast holdfast = Holdfast.builder().nodes("memory:fuzz").build();
        Fuzz.check("NamesFuzzTest#durations*", 50_000, input -> {
            Duration duration = duration(input);
            DistributedLock lock = holdfast.lock("x");
            try {
                switch (input.below(8)) {
                    case 0 -> lock.ttl(duration);
                    case 1 -> lock.maxHold(duration);
                    case 2 ->
                        lock.tryAcquireAsync(duration)
                                .thenAccept(made -> made.lease().releaseAsync());
                    case 3 -> Holdfast.builder().ttl(duration);
                    case 4 -> Holdfast.builder().lockOptions(options -> options.waiterTtl(duration));
                    case 5 -> Holdfast.builder().restartQuarantine(duration);
                    case 6 -> Holdfast.builder().fenceRetention(duration);
                    default -> NodeOptions.defaults().timeout(duration).connectTimeout(duration);
                }
            } catch (IllegalArgumentException e) {
                checkRefusal(e);
                assertThat(e.getMessage()).containsPattern(" is .+, but must be ");
            }
        });
        holdfast.close();
    }
}
