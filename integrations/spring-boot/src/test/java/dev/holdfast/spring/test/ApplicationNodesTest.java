package dev.holdfast.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.junit.LockNodes;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** {@link ApplicationNodes} in tests of Spring, on real servers. */
@Tag("slow")
@SpringJUnitConfig(ApplicationNodesTest.Empty.class)
@TestPropertySource(properties = "holdfast.nodes = redis://of-the-application")
class ApplicationNodesTest {

    private static ApplicationContext shared;

    @ApplicationNodes
    @RegisterExtension
    static final LockNodes NODES = LockNodes.redis(2);

    @Configuration
    static class Empty {

        @Bean
        Holdfast holdfast() {
            return Holdfast.connect("memory:of-the-application");
        }
    }

    private static String addresses() {
        return NODES.uris().stream().map(URI::toString).collect(Collectors.joining(","));
    }

    @Test
    void theApplicationUsesTheNodesOfItsTest(
            @Value("${holdfast.nodes}") String nodes, @Autowired ApplicationContext context) {
        assertThat(nodes).isEqualTo(addresses());
        shared = context;
    }

    @Test
    void aTestMayHaveTheApplicationsClientAndOneOfItsOwn(@Autowired Holdfast ofTheApplication, Holdfast ofTheTest) {
        assertThat(ofTheApplication.admin().nodeNames()).containsExactly("memory:of-the-application");
        assertThat(ofTheTest.admin().nodeNames()).hasSize(2);
    }

    @Nested
    class Inner {

        @Test
        void aNestedClassSharesTheApplication(
                @Value("${holdfast.nodes}") String nodes, @Autowired ApplicationContext context) {
            assertThat(nodes).isEqualTo(addresses());
            assertThat(shared == null || shared == context).isTrue();
        }
    }

    // ---- other test classes

    static class OfEachTest {

        @ApplicationNodes
        final LockNodes nodes = LockNodes.redis(1);
    }

    static class OfAnotherType {

        @ApplicationNodes
        static final String NODES = "redis://a";
    }

    private static ContextCustomizer customizer(Class<?> testClass) {
        return new ApplicationNodesFactory().createContextCustomizer(testClass, List.of());
    }

    @Test
    void aClassSharesItsContextWithItsNestedClassesOnly() {
        ContextCustomizer ofThisClass = customizer(ApplicationNodesTest.class);

        assertThat(customizer(Inner.class)).isEqualTo(ofThisClass).hasSameHashCodeAs(ofThisClass);
        assertThat(customizer(OneWithNodes.class)).isEqualTo(customizer(OneWithNodes.class));
        assertThat(customizer(OneWithNodes.class)).isNotNull().isNotEqualTo(customizer(OtherWithNodes.class));
        assertThat(customizer(String.class)).isNull();
    }

    @Test
    void otherFieldsAreRefused() {
        for (Class<?> wrong : List.of(OfEachTest.class, OfAnotherType.class)) {
            assertThatThrownBy(() -> customizer(wrong))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must be on a static field that has LockNodes");
        }
    }
}

/** A class that others extend: its nodes have new addresses for each of them. */
abstract class WithNodes {

    @ApplicationNodes
    static final LockNodes NODES = LockNodes.redis(1);
}

class OneWithNodes extends WithNodes {}

class OtherWithNodes extends WithNodes {}
