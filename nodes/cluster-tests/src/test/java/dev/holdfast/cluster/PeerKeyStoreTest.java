package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cluster.ClusterConfig.PeerTls;
import dev.holdfast.lock.HoldfastException;
import dev.holdfast.time.Ticker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-keystore",
                file().toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        command.addAll(1, List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as("%s", command).isZero();
    }

    private void makeKey(String alias, String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", "CN=" + alias));
        arguments.addAll(List.of(more));
        keytool(arguments.toArray(String[]::new));
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
