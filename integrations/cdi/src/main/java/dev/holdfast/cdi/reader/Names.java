package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.LockKeyConverter;
import dev.holdfast.cdi.Locked;
import dev.holdfast.cdi.LockedJob;
import dev.holdfast.lock.Lease;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.DotName;

/** The names of the types that the rules look for. */
public final class Names {

    public static final DotName LOCKED = DotName.createSimple(Locked.class);
    public static final DotName LOCKED_JOB = DotName.createSimple(LockedJob.class);
    static final DotName LEASE = DotName.createSimple(Lease.class);
    public static final DotName CONVERTER = DotName.createSimple(LockKeyConverter.class);
    static final DotName INTERCEPTOR = DotName.createSimple("jakarta.interceptor.Interceptor");
    static final DotName QUARKUS_SCHEDULED = DotName.createSimple("io.quarkus.scheduler.Scheduled");

    /** The annotations of methods that the container calls while it creates or destroys an object. No interceptor sees these calls. */
    static final List<DotName> CALLBACKS = Stream.of(
                    "jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy", "jakarta.inject.Inject")
            .map(DotName::createSimple)
            .toList();

    /** The annotations by which schedulers call a method, each without its container. */
    static final Set<DotName> SCHEDULED = Stream.of(
                    "io.quarkus.scheduler.Scheduled",
                    "jakarta.ejb.Schedule",
                    "io.helidon.microprofile.scheduling.Scheduled",
                    "io.helidon.microprofile.scheduling.FixedRate",
                    "io.helidon.scheduling.Scheduling$Cron",
                    "io.helidon.scheduling.Scheduling$FixedRate")
            .map(DotName::createSimple)
            .collect(Collectors.toUnmodifiableSet());

    /** The containers of those annotations that may stand several times. */
    static final Set<DotName> SCHEDULES = Stream.of("io.quarkus.scheduler.Scheduled$Schedules", "jakarta.ejb.Schedules")
            .map(DotName::createSimple)
            .collect(Collectors.toUnmodifiableSet());

    private Names() {}
}
