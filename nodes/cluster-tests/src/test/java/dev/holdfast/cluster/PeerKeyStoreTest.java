package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.redis.process.TestAuthority;
import dev.holdfast.time.Ticker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of a server, which it checks when it starts. */
class PeerKeyStoreTest {

    private static final String PASSWORD = "trial-password";

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("a.p12");
    }

    private void keytool(String... arguments) throws Exception {
        TestAuthority.keytool(file(), PASSWORD, List.of(arguments));
    }

    private void makeKey(String alias, String... more) throws Exception {
        TestAuthority.makeKey(file(), PASSWORD, alias, "EC", List.of(more));
    }

    private Optional<String> check(String password) {
        return PeerKeyStore.require(
                new PeerTls(file(), password), Ticker.system().wallMillis());
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> check(PASSWORD))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining(why);
    }

    @Test
    void aKeyOfATrustedAuthorityIsAccepted() throws Exception {
        makeKey("ca", "-ext", "bc:c");
        assertThat(check(PASSWORD)).as("it signs itself").isEmpty();
        makeKey("a", "-signer", "ca");
        assertThat(check(PASSWORD)).isEmpty();
    }

    @Test
    void aWrongPasswordIsNamed() throws Exception {
        makeKey("a");
        assertThatThrownBy(() -> check("another-password"))
                .isInstanceOf(HoldfastException.class)
                .hasMessage("the password of " + file() + " is wrong");
    }

    @Test
    void aFileOfAnotherKindIsNamed() throws Exception {
        Files.writeString(file(), "-----BEGIN CERTIFICATE-----\n");
        assertRefused("is not a PKCS#12 file");
        Files.delete(file());
        assertRefused("cannot be read");
    }

    @Test
    void aFileWithoutAKeyIsNamed() throws Exception {
        makeKey("a");
        Path certificate = folder.resolve("a.pem");
        keytool("-exportcert", "-alias", "a", "-file", certificate.toString());
        keytool("-delete", "-alias", "a");
        keytool("-importcert", "-noprompt", "-alias", "ca", "-file", certificate.toString());
        assertRefused("has no key with a certificate");
    }

    @Test
    void aFileThatLacksItsAuthorityIsNamed() throws Exception {
        makeKey("ca", "-ext", "bc:c");
        makeKey("a", "-signer", "ca");
        keytool("-delete", "-alias", "ca");
        assertRefused("does not trust the authority of its own certificate, CN=ca");
    }

    /** A cluster needs no correct clocks: a server whose clock was set back starts with a certificate that was made a minute ago. */
    @Test
    void aCertificateThatIsNotValidNowIsWarnedOf() throws Exception {
        makeKey("a", "-startdate", "-10d", "-validity", "5");
        assertThat(check(PASSWORD))
                .hasValueSatisfying(warning -> assertThat(warning).contains(file().toString(), "may refuse it"));
    }

    @Test
    void aCertificateThatIsNotValidYetIsWarnedOf() throws Exception {
        makeKey("a", "-startdate", "+1H");
        assertThat(check(PASSWORD))
                .hasValueSatisfying(warning -> assertThat(warning).contains("may refuse it"));
    }
}
