package dev.holdfast.locked;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The class file of a record, read as far as needed to tell an {@code equals} that Java's compiler has generated from one in the source. The generated
 * method leaves its work to {@link java.lang.runtime.ObjectMethods} by a dynamic call, which no source can contain.
 */
public final class GeneratedEquals {

    private static final int MAGIC_AND_VERSION = 8;
    private static final String PARAMETERS_AND_RESULT = ";Ljava/lang/Object;)Z";

    private GeneratedEquals() {}

    /** Returns whether the {@code equals} of a record is not in its source; true if there is no class file to look into. */
    public static boolean isIn(String className, @Nullable ClassLoader loader) {
        String name = className.replace('.', '/') + ".class";
        try (InputStream file =
                loader == null ? ClassLoader.getSystemResourceAsStream(name) : loader.getResourceAsStream(name)) {
            return file == null || hasDynamicEquals(new DataInputStream(file));
        } catch (IOException | IndexOutOfBoundsException e) {
            return true;
        }
    }

    /** Reads the constants, and looks for the name and the type of a dynamic call. Each kind of constant has a number and a length of its own. */
    private static boolean hasDynamicEquals(DataInputStream file) throws IOException {
        file.skipNBytes(MAGIC_AND_VERSION);
        int count = file.readUnsignedShort();
        String[] texts = new String[count];
        int[] names = new int[count];
        int[] types = new int[count];
        int[] called = new int[count];
        for (int i = 1; i < count; i++) {
            int kind = file.readUnsignedByte();
            switch (kind) {
                case 1 -> texts[i] = file.readUTF();
                case 3, 4, 9, 10, 11, 17 -> file.skipNBytes(4);
                case 5, 6 -> {
                    file.skipNBytes(8);
                    i++; // such a number has two places
                }
                case 7, 8, 16, 19, 20 -> file.skipNBytes(2);
                case 12 -> {
                    names[i] = file.readUnsignedShort();
                    types[i] = file.readUnsignedShort();
                }
                case 15 -> file.skipNBytes(3);
                case 18 -> {
                    file.skipNBytes(2);
                    called[i] = file.readUnsignedShort();
                }
                default -> throw new IOException("a constant of the unknown kind " + kind);
            }
        }
        for (int call : called) {
            if ("equals".equals(texts[names[call]])
                    && String.valueOf(texts[types[call]]).endsWith(PARAMETERS_AND_RESULT)) {
                return true;
            }
        }
        return false;
    }
}
