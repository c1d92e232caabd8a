package dev.holdfast.redis.script;

import java.util.List;

/**
 * A mistake in the scripts that the comparison with {@link dev.holdfast.node.LockTable} must notice.
 *
 * @param name what is wrong
 * @param edits what the scripts say instead
 */
record LuaMutant(String name, List<Edit> edits) {

    /**
     * A piece of a script, and what stands there instead.
     *
     * @param file such as {@code release.lua}
     * @param from text that is there exactly once
     */
    record Edit(String file, String from, String to) {}

    static LuaMutant of(String name, String file, String from, String to) {
        return new LuaMutant(name, List.of(new Edit(file, from, to)));
    }

    @Override
    public String toString() {
        return name;
    }
}
