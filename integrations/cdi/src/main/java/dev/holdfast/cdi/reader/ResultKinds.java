package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.runtime.ResultKind;
import dev.holdfast.locked.DeferredResults;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jboss.jandex.DotName;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;

/** The kinds of results, by the declared types of methods. */
final class ResultKinds {

    private static final Set<DotName> LATER =
            DeferredResults.TYPES.stream().map(DotName::createSimple).collect(Collectors.toUnmodifiableSet());
    private static final DotName COROUTINE = DotName.createSimple("kotlin.coroutines.Continuation");
    private static final DotName OPTIONAL = DotName.createSimple("java.util.Optional");
    private static final DotName UNI = DotName.createSimple("io.smallrye.mutiny.Uni");
    private static final Set<DotName> STAGES =
            Set.of(DotName.createSimple(CompletionStage.class), DotName.createSimple(CompletableFuture.class));

    private ResultKinds() {}

    static ResultKind of(MethodInfo method, TypeTree types, Container container) {
        Type result = method.returnType();
        boolean isSuspended =
                method.parameterTypes().stream().anyMatch(type -> type.name().equals(COROUTINE));
        if (isSuspended) {
            return ResultKind.UNKNOWN;
        }
        if (result.kind() == Type.Kind.PRIMITIVE) {
            return ResultKind.PRIMITIVE;
        }
        DotName name = result.name();
        if (name.equals(OPTIONAL)) {
            return ResultKind.OPTIONAL;
        }
        if (name.equals(UNI) && container.hasUni()) {
            return ResultKind.UNI;
        }
        if (STAGES.contains(name)) {
            return ResultKind.STAGE;
        }
        boolean isLater = DeferredResults.isFunction(name.toString()) || types.isA(name, LATER);
        return isLater ? ResultKind.UNKNOWN : ResultKind.PLAIN;
    }
}
