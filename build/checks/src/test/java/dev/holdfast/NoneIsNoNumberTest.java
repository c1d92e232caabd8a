package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A number that stands for "none" is sooner or later added to, compared with or shown as a value. So what core, the nodes, the integrations and the
 * server offer to others says "none" by an empty or null value. The formats of messages, scripts and tables keep their numbers.
 */
class NoneIsNoNumberTest {

    private static final Path ROOT = Path.of(System.getProperty("maven.multiModuleProjectDirectory", "../.."));

    /** A comment for Javadoc, and the first word after it that is not an annotation. */
    private static final Pattern DOCUMENTED =
            Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*(\\w+)", Pattern.DOTALL);

    private static final Pattern MINUS_ONE = Pattern.compile("(?<![\\w.])[-−]1\\b");

    @Test
    void noMemberThatOthersUseIsMinusOneForNone() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("core", "nodes", "integrations", "server")) {
            try (Stream<Path> all = Files.walk(ROOT.resolve(folder))) {
                all.filter(file -> file.toString().matches(".*/src/main/.*\\.java"))
                        .forEach(files::add);
            }
        }

        assertThat(files).hasSizeGreaterThan(500);
        for (Path file : files) {
            assertThat(explainsMinusOne(Files.readString(file)))
                    .as("comments of %s that give -1 a meaning", file)
                    .isEmpty();
        }
    }

    @Test
    void theRuleSeesOne() {
        assertThat(explainsMinusOne("/** The time left; -1 for none. */\nlong left();"))
                .hasSize(1);
        assertThat(explainsMinusOne("/**\n * @param left the time left, or -1\n */\n@Deprecated\npublic record A() {}"))
                .hasSize(1);
        assertThat(explainsMinusOne("/** Returns -1 for none. */\nprivate int index();"))
                .isEmpty();
        assertThat(explainsMinusOne("/** The SHA-1 of the text. */\nString name();"))
                .isEmpty();
    }

    private static List<String> explainsMinusOne(String source) {
        return DOCUMENTED
                .matcher(source)
                .results()
                .filter(found -> !found.group(2).equals("private"))
                .map(found -> found.group(1))
                .filter(comment -> MINUS_ONE.matcher(comment).find())
                .toList();
    }
}
