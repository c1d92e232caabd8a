package dev.holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A failure analyzer that names the property that stopped the start. */
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HoldfastPropertyException cause) {
        return new FailureAnalysis(
                "Holdfast can't start because of '" + cause.property() + "': " + cause.why(), cause.remedy(), cause);
    }
}
