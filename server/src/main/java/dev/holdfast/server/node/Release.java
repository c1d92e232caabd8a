package dev.holdfast.server.node;

/** The version of Holdfast, for people. */
final class Release {

    /** The name and version, such as {@code holdfast 0.1.0}; without the version if the class does not run from its jar. */
    static final String NAME = name();

    private Release() {}

    private static String name() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "holdfast" : "holdfast " + version;
    }
}
