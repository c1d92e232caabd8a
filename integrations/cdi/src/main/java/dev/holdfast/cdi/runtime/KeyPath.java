package dev.holdfast.cdi.runtime;

import java.util.List;

/**
 * The way from an argument to a part of the key.
 *
 * @param text the path in the annotation, such as {@code order.id}
 * @param parameter the index of the parameter
 * @param steps the accessors to call one after the other
 */
public record KeyPath(String text, int parameter, List<Step> steps) {

    public KeyPath {
        steps = List.copyOf(steps);
    }

    /**
     * One accessor.
     *
     * @param owner the name of the class that declares it
     * @param member the name of the method or the field
     * @param isField whether it is a field
     */
    public record Step(String owner, String member, boolean isField) {}
}
