package dev.holdfast.server.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file in the PEM format (RFC 7468): certificates, or a private key. Immutable; {@link #toString} names the file and shows nothing of its content. */
public final class PemFile {

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final int LARGEST = 1 << 20;

    private final Path path;
    private final String text;

    private PemFile(Path path, String text) {
        this.path = path;
        this.text = text;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if the file can't be read; the message says why
     */
    public static PemFile read(Path path) {
        PemFile unread = new PemFile(path, "");
        try {
            if (Files.isDirectory(path)) {
                throw unread.wrong("it is a directory");
            }
            if (Files.size(path) > LARGEST) {
                throw unread.wrong("it has more than " + LARGEST + " bytes");
            }
            return new PemFile(path, Files.readString(path, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException e) {
            throw unread.wrong("it does not exist");
        } catch (AccessDeniedException e) {
            throw unread.wrong("it cannot be read: permission denied");
        } catch (IOException e) {
            throw unread.wrong("it can't be read: " + e.getClass().getSimpleName());
        }
    }

    /**
     * Returns the certificates in the file, in their order.
     *
     * @throws IllegalArgumentException if the file has no certificate, or one is damaged
     */
    public List<X509Certificate> certificates() {
        List<X509Certificate> certificates = new ArrayList<>();
        for (byte[] block : blocks(CERTIFICATE)) {
            try {
                certificates.add((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(block)));
            } catch (CertificateException e) {
                throw wrong("its certificate no. " + (certificates.size() + 1) + " is damaged");
            }
        }
        if (certificates.isEmpty()) {
            throw wrong("it has no certificate: no block begins with -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    /**
     * Returns the only key in the file.
     *
     * @param algorithm the algorithm of the certificate's key
     * @throws IllegalArgumentException if the file does not have exactly one unencrypted PKCS#8 key for this algorithm
     */
    public PrivateKey key(String algorithm) {
        List<byte[]> keys = blocks(KEY);
        if (keys.size() != 1) {
            throw wrong(keys.isEmpty() ? noKey() : "it has " + keys.size() + " keys, but must have one");
        }
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(keys.get(0)));
        } catch (InvalidKeySpecException e) { // whose message might show the key
            throw wrong("its key is damaged, or is not the " + algorithm + " key that the certificate needs");
        } catch (NoSuchAlgorithmException e) {
            throw wrong("the certificate has a key of the kind " + algorithm
                    + ", but Holdfast supports RSA, EC and Ed25519");
        }
    }

    private String noKey() {
        if (has("ENCRYPTED PRIVATE KEY")) {
            return "its key is encrypted, and the program cannot ask for the password;"
                    + " 'openssl pkey -in OLD -out NEW' decrypts it; then let no other user read the file";
        }
        if (has("RSA PRIVATE KEY") || has("EC PRIVATE KEY")) {
            return "its key is not in PKCS#8 form; 'openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW' converts it";
        }
        return "it has no key: no block begins with -----BEGIN PRIVATE KEY-----";
    }

    private List<byte[]> blocks(String label) {
        List<byte[]> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals(label)) {
                blocks.add(decoded(block.group(2), label));
            }
        }
        return blocks;
    }

    private byte[] decoded(String content, String label) {
        try {
            return Base64.getMimeDecoder().decode(content);
        } catch (IllegalArgumentException e) { // whose message shows some of it
            throw wrong("the content of its block " + label + " is not base64");
        }
    }

    private boolean has(String label) {
        return text.contains("-----BEGIN " + label + "-----");
    }

    public boolean isSameAs(PemFile other) {
        return text.equals(other.text);
    }

    public IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(this + " can't be used: " + why);
    }

    @Override
    public String toString() {
        return "the file " + path;
    }
}
