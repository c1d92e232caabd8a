package dev.holdfast.server.client;

import java.util.List;

/**
 * The ids of clusters: a name with a mark that no other cluster of this name has, such as {@code shop#3f9a21c4}. A server that does not know the mark yet says
 * the name only.
 */
final class ClusterIds {

    private static final char MARK = '#';

    private ClusterIds() {}

    static boolean isMarked(String id) {
        return id.indexOf(MARK) >= 0;
    }

    static String nameIn(String id) {
        return isMarked(id) ? id.substring(0, id.indexOf(MARK)) : id;
    }

    /** Returns whether different ids are those of several clusters. A name without a mark contradicts no mark of this name. */
    static boolean areSeveral(List<String> ids) {
        return ids.stream().map(ClusterIds::nameIn).distinct().count() > 1
                || ids.stream().filter(ClusterIds::isMarked).count() > 1;
    }

    /** Returns the id of the one cluster of several servers, with its mark if one of them has said it. */
    static String common(List<String> ids) {
        return ids.stream().filter(ClusterIds::isMarked).findFirst().orElseGet(() -> ids.get(0));
    }
}
