package dev.holdfast.quarkus.deployment;

import dev.holdfast.cdi.HoldfastBuilderCustomizer;
import dev.holdfast.cdi.reader.Container;
import dev.holdfast.cdi.reader.KeyTypes;
import dev.holdfast.cdi.reader.LockedMethodReader;
import dev.holdfast.cdi.reader.Names;
import dev.holdfast.cdi.reader.ReadMethods;
import dev.holdfast.cdi.reader.TypeTree;
import dev.holdfast.cdi.runtime.HoldfastReadiness;
import dev.holdfast.cdi.runtime.HoldfastStart;
import dev.holdfast.cdi.runtime.LockedCalls;
import dev.holdfast.cdi.runtime.LockedInterceptor;
import dev.holdfast.cdi.runtime.LockedJobInterceptor;
import dev.holdfast.cdi.runtime.LockedMethodTable;
import dev.holdfast.cdi.runtime.LockedMethods;
import dev.holdfast.cdi.runtime.SkippedCalls;
import dev.holdfast.quarkus.runtime.ClientMetrics;
import dev.holdfast.quarkus.runtime.HoldfastBuildConfig;
import dev.holdfast.quarkus.runtime.HoldfastProducer;
import dev.holdfast.quarkus.runtime.HoldfastRecorder;
import dev.holdfast.quarkus.runtime.QuarkusPlatform;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanArchiveIndexBuildItem;
import io.quarkus.arc.deployment.BeanDiscoveryFinishedBuildItem;
import io.quarkus.arc.deployment.SyntheticBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.arc.processor.BeanInfo;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.runtime.metrics.MetricsFactory;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.Type;

/** The build steps for beans, health and metrics. */
final class HoldfastProcessor {

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem("holdfast");
    }

    @BuildStep
    AdditionalBeanBuildItem beans() {
        return AdditionalBeanBuildItem.builder()
                .addBeanClasses(
                        QuarkusPlatform.class,
                        HoldfastProducer.class,
                        HoldfastStart.class,
                        LockedMethods.class,
                        LockedCalls.class,
                        SkippedCalls.class,
                        LockedInterceptor.class,
                        LockedJobInterceptor.class)
                .setUnremovable()
                .build();
    }

    @BuildStep
    UnremovableBeanBuildItem beansOfTheApplication() {
        return UnremovableBeanBuildItem.beanTypes(
                Names.CONVERTER,
                DotName.createSimple(HoldfastBuilderCustomizer.class),
                DotName.createSimple("dev.holdfast.observe.ClientObserver"),
                DotName.createSimple("dev.holdfast.Holdfast"));
    }

    @BuildStep
    HealthBuildItem health(HoldfastBuildConfig config) {
        return new HealthBuildItem(
                HoldfastReadiness.class.getName(), config.health().enabled());
    }

    @BuildStep
    void metrics(
            HoldfastBuildConfig config,
            Optional<MetricsCapabilityBuildItem> metrics,
            BuildProducer<AdditionalBeanBuildItem> beans) {
        boolean isMicrometer = metrics.map(found -> found.metricsSupported(MetricsFactory.MICROMETER))
                .orElse(false);
        if (isMicrometer && config.metrics().enabled()) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf(ClientMetrics.class));
        }
    }

    @BuildStep
    @Record(ExecutionTime.STATIC_INIT)
    SyntheticBeanBuildItem lockedMethods(
            HoldfastRecorder recorder,
            BeanArchiveIndexBuildItem archives,
            BeanDiscoveryFinishedBuildItem discovered,
            BuildProducer<ValidationErrorBuildItem> errors) {
        IndexView index = archives.getIndex();
        ReadMethods read = ReadMethods.of(reader(index, discovered), annotations(index));
        if (!read.problems().isEmpty()) {
            errors.produce(new ValidationErrorBuildItem(read.problems().toArray(Throwable[]::new)));
        }
        return SyntheticBeanBuildItem.configure(LockedMethodTable.class)
                .scope(Singleton.class)
                .unremovable()
                .runtimeValue(recorder.table(read.methods()))
                .done();
    }

    private static List<AnnotationInstance> annotations(IndexView index) {
        return Stream.of(Names.LOCKED, Names.LOCKED_JOB)
                .flatMap(name -> index.getAnnotations(name).stream())
                .toList();
    }

    private static LockedMethodReader reader(IndexView index, BeanDiscoveryFinishedBuildItem discovered) {
        TypeTree types = new TypeTree(index::getClassByName);
        Set<DotName> classes = discovered.beanStream().classBeans().stream()
                .map(BeanInfo::getBeanClass)
                .collect(Collectors.toUnmodifiableSet());
        Set<DotName> converted = discovered.beanStream().stream()
                .flatMap(bean -> bean.getTypes().stream())
                .filter(type -> type.kind() == Type.Kind.PARAMETERIZED_TYPE
                        && type.name().equals(Names.CONVERTER))
                .map(type -> type.asParameterizedType().arguments().get(0).name())
                .collect(Collectors.toUnmodifiableSet());
        Function<DotName, Set<DotName>> beans = name -> Stream.concat(
                        Stream.of(name),
                        index.getAllKnownSubclasses(name).stream().map(ClassInfo::name))
                .filter(classes::contains)
                .collect(Collectors.toUnmodifiableSet());
        return new LockedMethodReader(
                types, new KeyTypes(types, converted), new Container("Quarkus", true, true, beans));
    }
}
