package dev.holdfast.locked;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The nodes in the settings of an application, whose lists are separated by commas. */
public final class NodeUris {

    /** The URIs that may contain commas, between the hosts of one node. */
    private static final Pattern SEVERAL_HOSTS = Pattern.compile(
            "(rediss?-(sentinel|cluster)|(jdbc:)?postgres(ql)?|holdfasts?)://.*", Pattern.CASE_INSENSITIVE);

    private static final Pattern BEGINNING = Pattern.compile("((jdbc:)?[A-Za-z][A-Za-z0-9+.-]*://|memory:).*");

    private NodeUris() {}

    /**
     * Returns the URIs of a list in which the application's framework has separated the hosts of one URI too.
     *
     * @param parts the list, which may be whole already
     */
    public static List<String> whole(List<String> parts) {
        List<String> uris = new ArrayList<>();
        for (String part : parts) {
            int last = uris.size() - 1;
            boolean continues = last >= 0
                    && SEVERAL_HOSTS.matcher(uris.get(last)).matches()
                    && !BEGINNING.matcher(part.strip()).matches();
            if (continues) {
                uris.set(last, uris.get(last) + "," + part.strip());
            } else {
                uris.add(part);
            }
        }
        return List.copyOf(uris);
    }
}
