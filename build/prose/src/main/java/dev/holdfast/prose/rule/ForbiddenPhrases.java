package dev.holdfast.prose.rule;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Phrases that the project does not use, from {@code forbidden-phrases.txt}: a regular expression, a tab, and what to write instead. */
final class ForbiddenPhrases implements Rule {

    private record Phrase(Pattern pattern, String advice) {}

    private final List<Phrase> phrases;

    ForbiddenPhrases() {
        try (InputStream file =
                        Objects.requireNonNull(ForbiddenPhrases.class.getResourceAsStream("forbidden-phrases.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            phrases = lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(ForbiddenPhrases::phrase)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Phrase phrase(String line) {
        String[] parts = line.split("\t+", 2);
        if (parts.length != 2) {
            throw new IllegalStateException(
                    "line '" + line + "' of forbidden-phrases.txt has no tab; write the phrase, a tab and the advice");
        }
        String pattern = parts[0].startsWith("^") ? parts[0] + "\\b" : "\\b(?:" + parts[0] + ")\\b";
        return new Phrase(
                Pattern.compile(pattern, parts[0].startsWith("^") ? 0 : Pattern.CASE_INSENSITIVE), parts[1].strip());
    }

    @Override
    public List<Finding> check(Sentence sentence) {
        return phrases.stream()
                .map(phrase -> {
                    var matcher = phrase.pattern.matcher(sentence.text());
                    return matcher.find()
                            ? new Finding(sentence, "phrase", "\"" + matcher.group() + "\": " + phrase.advice)
                            : null;
                })
                .filter(Objects::nonNull)
                .toList();
    }
}
