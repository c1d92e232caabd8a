package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * A log that the first release wrote. During a rolling upgrade, servers of two releases apply the same log, and must reach the same state. So a log means
 * the same in all releases (decision 0107).
 */
class RecordedLogTest {

    private static final String RECORDING = "release-1.log.gz";
    private static final int ENTRIES = 2_000;
    private static final int SEED = 107;

    @Test
    void everyReleaseReachesTheSameStates() throws Exception {
        try (InputStream recording = RecordedLogTest.class.getResourceAsStream(RECORDING)) {
            if (recording == null) {
                fail("there is no recording; one is in %s now", record(Path.of("target", RECORDING)));
            } else {
                assertThat(digestOfStates(new DataInputStream(new GZIPInputStream(recording))))
                        .as("the states after the entries of %s; if they changed, read decision 0107", RECORDING)
                        .isEqualTo("115d00a65e7046cdf58dbd19adf91f52f669c7415e4117e3024efa0b3ef5a46e");
            }
        }
    }

    /** Applies the entries, and returns a digest of the states after every hundredth of them. */
    private static String digestOfStates(DataInputStream log) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        LockStateMachine machine = new LockStateMachine(ClusterServer.FENCE_RETENTION.toMillis());
        for (int entry = 1; entry <= ENTRIES; entry++) {
            machine.apply(Batch.read(log.readNBytes(log.readInt())), push -> {});
            if (entry % 100 == 0) {
                digest.update(machine.snapshot());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static Path record(Path file) throws IOException {
        RandomOperations operations = new RandomOperations(new Random(SEED));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
            for (int entry = 0; entry < ENTRIES; entry++) {
                byte[] batch = operations.batch().bytes();
                out.writeInt(batch.length);
                out.write(batch);
            }
        }
        return Files.write(file, bytes.toByteArray());
    }
}
