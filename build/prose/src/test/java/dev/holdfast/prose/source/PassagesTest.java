package dev.holdfast.prose.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassagesTest {

    @TempDir
    Path folder;

    private List<String> read(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
        return Passages.below(folder).stream()
                .map(passage -> passage.line() + " " + passage.kind() + " " + passage.text())
                .toList();
    }

    @Test
    void readsJavadocCommentsAndMessages() throws IOException {
        assertThat(read("Lock.java", """
                        package p;

                        /**
                         * A lock.
                         *
                         * <p>It has {@code one} holder.
                         */
                        class Lock {
                            /**
                             * Returns the {@link Lease} of it.
                             *
                             * @param ttl the time to live
                             */
                            int lease(int ttl) {
                                // The clock may step,
                                // so look again.
                                throw new IllegalStateException("ttl is " + ttl + " ms; it must be positive");
                            }
                        }
                        """))
                .containsExactlyInAnyOrder(
                        "4 TYPE A lock.",
                        "6 COMMENT It has Foo holder.",
                        "10 METHOD Returns the Foo of it.",
                        "12 TAG the time to live",
                        "15 COMMENT The clock may step,\nso look again.",
                        "17 MESSAGE ttl is Foo ms; it must be positive");
    }

    @Test
    void readsMarkdownWithoutItsCode() throws IOException {
        assertThat(
                        read(
                                "page.md",
                                "# A title\n\nOne `lock`\nfor all.\n\n```\nnot this\n```\n\n| a | b |\n|---|---|\n| c d | e |\n\n- an entry\n"))
                .contains(
                        "1 FRAGMENT A title",
                        "3 PARAGRAPH One Foo\nfor all.",
                        "12 FRAGMENT c d",
                        "14 FRAGMENT an entry")
                .noneMatch(passage -> passage.contains("not this"));
    }

    @Test
    void readsScriptsAndPages() throws IOException {
        assertThat(read("a.lua", "-- The fence rises.\nlocal x = 1\n")).contains("1 COMMENT The fence rises.");
        assertThat(read("b.js", "const text = 'The lock is free now';\n")).contains("1 MESSAGE The lock is free now");
        assertThat(read("c.html", "<p>\n<b title=\"Shows all the locks\">x</b></p>"))
                .contains("2 MESSAGE Shows all the locks");
        assertThat(read("d.yaml", "a: b # not a comment of its own\n# Starts three nodes.\n"))
                .contains("2 COMMENT Starts three nodes.");
    }

    @Test
    void readsTheDescriptionOfAnApi() throws IOException {
        assertThat(read("openapi.json", """
                        {"info": {"title": "Locks for \\"all\\""},
                         "get": {"summary": "Show a lock",
                                 "description": "Returns the lock.",
                                 "responses": {"description": "The lock."}},
                         "healthz": {"summary": "Health", "description": ""}}
                        """))
                .containsExactly(
                        "1 FRAGMENT Locks for \"all\"",
                        "2 FRAGMENT Show a lock",
                        "3 PARAGRAPH Returns the lock.",
                        "4 MESSAGE The lock.",
                        "5 FRAGMENT Health");
        assertThat(read("other.json", "{\"description\": \"The lock.\"}"))
                .noneMatch(passage -> passage.contains("other"))
                .hasSize(5);
    }

    @Test
    void readsOnlyCommentsOfTests() throws IOException {
        Path test = Files.createDirectories(folder.resolve("m/src/test"));
        Files.writeString(test.resolve("a.md"), "Told anew.");
        Files.writeString(test.resolve("A.java"), """
                /** A test. */
                class A {
                    String a = "this is told anew";
                }
                """);

        assertThat(Passages.below(folder)).isEmpty();
        assertThat(Passages.below(test).stream().map(Passage::text)).containsExactly("A test.");
    }

    @Test
    void readsIndentedLinesOfAMessageOneByOne() throws IOException {
        assertThat(read("Help.java", """
                class Help {
                    String a = "Try these commands:\\n  start the nodes first\\n  stop the nodes later";
                    String b = "#!/bin/sh\\nthis is told anew";
                }
                """))
                .containsExactly(
                        "2 MESSAGE Try these commands:",
                        "2 MESSAGE start the nodes first",
                        "2 MESSAGE stop the nodes later");
    }

    @Test
    void leavesOutBuildOutput() throws IOException {
        Path target = Files.createDirectories(folder.resolve("m/target"));
        Files.writeString(target.resolve("a.md"), "Told anew.");

        assertThat(Passages.below(folder)).isEmpty();
    }
}
