package dev.holdfast.prose.rule;

import dev.holdfast.prose.source.Passage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.languagetool.Language;
import org.languagetool.Languages;
import org.languagetool.tokenizers.SentenceTokenizer;

/** All rules, applied to each sentence of a passage. Not thread-safe. */
public final class Rules {

    private static final String AMERICAN = "en-US";

    private final List<Rule> rules = new ArrayList<>();
    private final Grammar grammar;
    private final boolean withGrammar;
    private final SentenceTokenizer sentences;

    /**
     * Loads the rules.
     *
     * @param withGrammar whether LanguageTool's rules are among them; they take a few milliseconds per sentence, and the other rules hardly any time
     */
    public Rules(boolean withGrammar) {
        Language english = Languages.getLanguageForShortCode(AMERICAN);
        this.sentences = english.getSentenceTokenizer();
        this.withGrammar = withGrammar;
        this.grammar = new Grammar(english);
        rules.add(new ForbiddenPhrases());
        rules.add(new SentenceLength());
        rules.add(new JavadocOpening());
        rules.add(new FiniteVerb(english.getTagger()));
    }

    /** Returns the sentences of a passage, with the lines on which they begin. */
    public List<Sentence> sentences(Passage passage) {
        List<Sentence> found = new ArrayList<>();
        int line = passage.line();
        for (String part : sentences.tokenize(passage.text())) {
            String text = part.strip().replaceAll("\\s+", " ");
            int begins = line
                    + lineFeeds(part.substring(
                            0, part.length() - part.stripLeading().length()));
            if (!text.isEmpty()) {
                found.add(new Sentence(passage, begins, text, found.isEmpty()));
            }
            line += lineFeeds(part);
        }
        return found;
    }

    private static int lineFeeds(String text) {
        return (int) text.chars().filter(c -> c == '\n').count();
    }

    /** Returns everything that is wrong with a passage. */
    public List<Finding> check(Passage passage) {
        return sentences(passage).stream().flatMap(this::check).toList();
    }

    private Stream<Finding> check(Sentence sentence) {
        Stream<Finding> style = rules.stream().flatMap(rule -> rule.check(sentence).stream());
        return withGrammar && Grammar.appliesTo(sentence.passage().kind())
                ? Stream.concat(style, grammar.check(sentence).stream())
                : style;
    }
}
