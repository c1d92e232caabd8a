package dev.holdfast.server.lease;

import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LockMode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The content of a lease's id, from which every server with the same key can continue the lease (docs/decisions/0069). A code over the content and the name of the
 * client makes an id impossible to guess, and useless to every other client.
 *
 * @param request the request that the lease answers, as far as it matters after the grant
 * @param adoption the text with which a client of the nodes adopts the lease
 * @param grantedAtMillis the time of the grant, in ms of the wall clock of the server that granted the lease
 */
record LeaseId(LockRequest request, String adoption, long token, long grantedAtMillis) {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int CODE_BYTES = 16;
    private static final int MOST_CHARACTERS = 4_096;
    private static final int FIELDS = 7;

    static LeaseId of(Lease lease, LockRequest request, long grantedAtMillis) {
        return new LeaseId(request, lease.share(), lease.fencingToken(), grantedAtMillis);
    }

    /** Returns the id for this client. */
    String text(String client, byte[] key) {
        byte[] content = content();
        byte[] id = Arrays.copyOf(code(client, content, key), CODE_BYTES + content.length);
        System.arraycopy(content, 0, id, CODE_BYTES, content.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    }

    /** Returns the content of an id that a server with one of these keys has made for this client; null if it is not one. */
    static @Nullable LeaseId parse(String id, String client, List<byte[]> keys) {
        byte[] bytes = bytes(id);
        if (bytes.length <= CODE_BYTES) {
            return null;
        }
        byte[] code = Arrays.copyOf(bytes, CODE_BYTES);
        byte[] content = Arrays.copyOfRange(bytes, CODE_BYTES, bytes.length);
        boolean known = false;
        for (byte[] key : keys) {
            known |= MessageDigest.isEqual(code, code(client, content, key));
        }
        return known ? parse(new String(content, StandardCharsets.UTF_8)) : null;
    }

    private static byte[] bytes(String id) {
        try {
            return id.length() > MOST_CHARACTERS
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(id);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** Returns the fields as bytes. Neither names of locks nor labels contain control characters, so a line break separates them. */
    private byte[] content() {
        String label = request.label();
        return String.join(
                        "\n",
                        request.lock(),
                        adoption,
                        Long.toString(token),
                        request.mode().name(),
                        Long.toString(request.ttl().toMillis()),
                        Long.toString(grantedAtMillis),
                        label == null ? "" : label)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable LeaseId parse(String content) {
        String[] fields = content.split("\n", FIELDS);
        if (fields.length < FIELDS) {
            return null; // of an earlier version
        }
        LockRequest request = new LockRequest(
                fields[0],
                LockMode.valueOf(fields[3]),
                Duration.ofMillis(Long.parseLong(fields[4])),
                Duration.ZERO,
                false,
                null,
                fields[6].isEmpty() ? null : fields[6]);
        return new LeaseId(request, fields[1], Long.parseLong(fields[2]), Long.parseLong(fields[5]));
    }

    private static byte[] code(String client, byte[] content, byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((client + "\n").getBytes(StandardCharsets.UTF_8));
            return Arrays.copyOf(mac.doFinal(content), CODE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
