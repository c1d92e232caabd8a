package dev.holdfast.prose.rule;

import dev.holdfast.prose.source.Passage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.languagetool.AnalyzedTokenReadings;
import org.languagetool.tagging.Tagger;

/** The rule that a sentence has a verb. Titles, cells, entries of lists and the first sentence of Javadoc need none. */
final class FiniteVerb implements Rule {

    private static final int SHORTEST = 5;
    private static final Set<Passage.Kind> NEED_VERB =
            EnumSet.of(Passage.Kind.PARAGRAPH, Passage.Kind.METHOD, Passage.Kind.TYPE, Passage.Kind.COMMENT);

    private final Tagger tagger;

    FiniteVerb(Tagger tagger) {
        this.tagger = tagger;
    }

    @Override
    public List<Finding> check(Sentence sentence) {
        Passage.Kind kind = sentence.passage().kind();
        boolean isTitle = sentence.isFirst() && (kind == Passage.Kind.TYPE || kind == Passage.Kind.METHOD);
        boolean isRemark = kind == Passage.Kind.COMMENT && !sentence.text().endsWith(".");
        if (!NEED_VERB.contains(kind)
                || isTitle
                || isRemark
                || sentence.length() < SHORTEST
                || sentence.text().endsWith(":")) {
            return List.of();
        }
        List<String> words = Arrays.stream(sentence.text().split("[^\\p{L}'’-]+"))
                .filter(word -> !word.isEmpty())
                .toList();
        try {
            boolean hasVerb = sentence.text().matches("(?s).*[’'](s|re|ll|d|ve|t)\\b.*")
                    || tagger.tag(words).stream().anyMatch(FiniteVerb::mayBeVerb);
            return hasVerb ? List.of() : List.of(new Finding(sentence, "verb", "the sentence has no finite verb"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean mayBeVerb(AnalyzedTokenReadings word) {
        return word.getReadings().stream().anyMatch(reading -> {
            String tag = reading.getPOSTag();
            return tag != null
                    && (tag.equals("VBZ")
                            || tag.equals("VBP")
                            || tag.equals("VBD")
                            || tag.equals("MD")
                            || tag.equals("VB"));
        });
    }
}
