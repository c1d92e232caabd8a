package dev.holdfast.server.node;

/** Which version of Holdfast this is, for people. */
final class Release {

    /** Such as {@code holdfast 0.1.0}; without the version where it does not run from its jar. */
    static final String NAME = name();

    private Release() {}

    private static String name() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "holdfast" : "holdfast " + version;
    }
}
