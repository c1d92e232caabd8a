package dev.holdfast.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The meters of each group of locks. Without groups, all locks share the same meters. */
final class Groups {

    /** The maximum number of groups, including the one for all further groups. */
    static final int MOST = 50;

    private static final System.Logger LOG = System.getLogger(Groups.class.getName());
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Tags tags;
    private final @Nullable Function<String, String> groupOf;
    private final Map<String, LockMeters> meters = new ConcurrentHashMap<>();
    private final LockMeters first;

    Groups(MeterRegistry registry, Tags tags, @Nullable Function<String, String> groupOf) {
        this.registry = registry;
        this.tags = tags;
        this.groupOf = groupOf;
        this.first = groupOf == null ? new LockMeters(registry, tags) : made(OTHER);
    }

    private LockMeters made(String group) {
        return meters.computeIfAbsent(group, name -> new LockMeters(registry, tags.and("group", name)));
    }

    LockMeters of(String lock) {
        if (groupOf == null) {
            return first;
        }
        String group = groupOf.apply(lock);
        if (group == null || group.isEmpty()) {
            return first;
        }
        LockMeters known = meters.get(group);
        return known != null ? known : added(group);
    }

    private synchronized LockMeters added(String group) {
        if (meters.size() < MOST || meters.containsKey(group)) {
            return made(group);
        }
        if (meters.size() == MOST) {
            LOG.log(
                    Level.WARNING,
                    "Locks are in more than {0} groups; further groups, such as ''{1}'', are counted as ''{2}''",
                    MOST - 1,
                    group,
                    OTHER);
            meters.put(group, first); // so that the warning is logged once
        }
        return first;
    }
}
