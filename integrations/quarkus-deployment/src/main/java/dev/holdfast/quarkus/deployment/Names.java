package dev.holdfast.quarkus.deployment;

import dev.holdfast.lock.Lease;
import dev.holdfast.quarkus.LockKeyConverter;
import dev.holdfast.quarkus.Locked;
import dev.holdfast.quarkus.LockedJob;
import org.jboss.jandex.DotName;

/** The names of the types that the build looks for. */
final class Names {

    static final DotName LOCKED = DotName.createSimple(Locked.class);
    static final DotName LOCKED_JOB = DotName.createSimple(LockedJob.class);
    static final DotName LEASE = DotName.createSimple(Lease.class);
    static final DotName CONVERTER = DotName.createSimple(LockKeyConverter.class);
    static final DotName INTERCEPTOR = DotName.createSimple("jakarta.interceptor.Interceptor");
    static final DotName SCHEDULED = DotName.createSimple("io.quarkus.scheduler.Scheduled");
    static final DotName SCHEDULES = DotName.createSimple("io.quarkus.scheduler.Scheduled$Schedules");

    private Names() {}
}
