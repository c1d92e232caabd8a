package dev.holdfast.cli.settings;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Checks of keys that belong to certificates. A server reports a wrong key only as an error in the handshake. */
final class KeyPairs {

    private static final byte[] TEXT = "holdfast".getBytes(StandardCharsets.US_ASCII);

    private KeyPairs() {}

    /** Returns whether what the private key signs is valid by the public key; true if Java knows no signature of their kind. */
    static boolean belong(PrivateKey privateKey, PublicKey publicKey) {
        String kind = publicKey.getAlgorithm();
        String algorithm = kind.equals("EC") ? "SHA256withECDSA" : kind.equals("RSA") ? "SHA256withRSA" : kind;
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            signature.update(TEXT);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(TEXT);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return !kind.equals("EC") && !kind.equals("RSA");
        }
    }
}
