package dev.holdfast.cdi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** The builder of an answer, which an implementation of MicroProfile Health brings. */
final class HealthAnswer extends HealthCheckResponseBuilder {

    private final Map<String, Object> data = new LinkedHashMap<>();
    private String name = "";
    private boolean isUp;

    @Override
    public HealthCheckResponseBuilder name(String value) {
        name = value;
        return this;
    }

    @Override
    public HealthCheckResponseBuilder withData(String key, String value) {
        data.put(key, value);
        return this;
    }

    @Override
    public HealthCheckResponseBuilder withData(String key, long value) {
        data.put(key, value);
        return this;
    }

    @Override
    public HealthCheckResponseBuilder withData(String key, boolean value) {
        data.put(key, value);
        return this;
    }

    @Override
    public HealthCheckResponseBuilder up() {
        return status(true);
    }

    @Override
    public HealthCheckResponseBuilder down() {
        return status(false);
    }

    @Override
    public HealthCheckResponseBuilder status(boolean value) {
        isUp = value;
        return this;
    }

    @Override
    public HealthCheckResponse build() {
        return new HealthCheckResponse(
                name, isUp ? HealthCheckResponse.Status.UP : HealthCheckResponse.Status.DOWN, Optional.of(data));
    }
}
