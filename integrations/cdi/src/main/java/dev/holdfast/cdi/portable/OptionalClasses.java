package dev.holdfast.cdi.portable;

/** The classes of optional dependencies. */
final class OptionalClasses {

    private OptionalClasses() {}

    /** Returns whether this module can use a class. */
    static boolean isPresent(String name) {
        try {
            Class.forName(name, false, OptionalClasses.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
