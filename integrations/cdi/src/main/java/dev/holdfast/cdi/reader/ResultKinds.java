package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.runtime.ResultKind;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jboss.jandex.DotName;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;

/** The kinds of results, by the declared types of methods. */
final class ResultKinds {

    private static final Set<DotName> LATER = Set.of(
            DotName.createSimple(Future.class),
            DotName.createSimple(CompletionStage.class),
            DotName.createSimple(BaseStream.class),
            DotName.createSimple(Flow.Publisher.class),
            DotName.createSimple("org.reactivestreams.Publisher"),
            DotName.createSimple("io.smallrye.mutiny.Uni"),
            DotName.createSimple("io.smallrye.mutiny.Multi"),
            DotName.createSimple("io.vertx.core.Future"),
            DotName.createSimple("io.reactivex.rxjava3.core.SingleSource"),
            DotName.createSimple("io.reactivex.rxjava3.core.MaybeSource"),
            DotName.createSimple("io.reactivex.rxjava3.core.CompletableSource"),
            DotName.createSimple("io.reactivex.rxjava3.core.ObservableSource"),
            DotName.createSimple("kotlinx.coroutines.flow.Flow"));
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
        return types.isA(name, LATER) ? ResultKind.UNKNOWN : ResultKind.PLAIN;
    }
}
