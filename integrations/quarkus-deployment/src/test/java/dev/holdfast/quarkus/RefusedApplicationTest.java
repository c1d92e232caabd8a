package dev.holdfast.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cdi.Locked;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.mutiny.Multi;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The build of an application ends with all problems of its locked methods. */
@Tag("slow")
class RefusedApplicationTest {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Wrong.class, NoBean.class))
            .overrideConfigKey("quarkus.http.test-port", "0")
            .assertException(failure -> assertThat(textOf(failure))
                    .contains("@Locked method RefusedApplicationTest$Wrong.many() returns a io.smallrye.mutiny.Multi")
                    .contains(
                            "@Locked method RefusedApplicationTest$NoBean.unseen() is in a class that is not a bean"));

    private static String textOf(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ApplicationScoped
    public static class Wrong {

        @Locked("many")
        public Multi<String> many() {
            return Multi.createFrom().item("x");
        }
    }

    public static class NoBean {

        @Locked("unseen")
        public void unseen() {}
    }

    @Test
    void isNotStarted() {
        Assertions.fail();
    }
}
