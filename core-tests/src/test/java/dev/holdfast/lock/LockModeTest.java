package dev.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LockModeTest {

    /** The table of the OpenVMS documentation, written out once more. */
    @Test
    void compatibilityIsThatOfTheOpenVmsLockManager() {
        assertThat(row(LockMode.NL)).isEqualTo("yes yes yes yes yes yes");
        assertThat(row(LockMode.CR)).isEqualTo("yes yes yes yes yes no");
        assertThat(row(LockMode.CW)).isEqualTo("yes yes yes no no no");
        assertThat(row(LockMode.PR)).isEqualTo("yes yes no yes no no");
        assertThat(row(LockMode.PW)).isEqualTo("yes yes no no no no");
        assertThat(row(LockMode.EX)).isEqualTo("yes no no no no no");
    }

    private static String row(LockMode mode) {
        return Arrays.stream(LockMode.values())
                .map(other -> mode.isCompatibleWith(other) ? "yes" : "no")
                .collect(Collectors.joining(" "));
    }

    @Test
    void compatibilityIsMutual() {
        for (LockMode one : LockMode.values()) {
            for (LockMode other : LockMode.values()) {
                assertThat(one.isCompatibleWith(other)).isEqualTo(other.isCompatibleWith(one));
                assertThat(one.conflictsWith(other)).isNotEqualTo(one.isCompatibleWith(other));
            }
        }
    }

    @Test
    void onlyNlBearsNoToken() {
        assertThat(LockMode.values()).filteredOn(mode -> !mode.bearsToken()).containsExactly(LockMode.NL);
    }
}
