package dev.holdfast.prose.rule;

import dev.holdfast.prose.source.Passage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.languagetool.JLanguageTool;
import org.languagetool.Language;
import org.languagetool.rules.RuleMatch;

/** The grammar rules of LanguageTool, except those that misfire on technical text or on placeholders for code. */
final class Grammar implements Rule {

    /** Categories about taste, typography and spelling. */
    private static final Set<String> OTHER_CATEGORIES = Set.of(
            "TYPOGRAPHY",
            "STYLE",
            "REDUNDANCY",
            "PLAIN_ENGLISH",
            "TYPOS",
            "CASING",
            "COLLOCATIONS",
            "REPETITIONS_STYLE",
            "PUNCTUATION",
            "COMPOUNDING",
            "BRITISH_ENGLISH",
            "AMERICAN_ENGLISH_STYLE",
            "CREATIVE_WRITING",
            "GENDER_NEUTRALITY",
            "SEMANTICS",
            "NONSTANDARD_PHRASES",
            "WIKIPEDIA",
            "FALSE_FRIENDS");

    /** Rules that flagged correct sentences of the project. */
    private static final Set<String> WRONG_HERE = Set.of(
            "A_BIT_OF",
            "A_INFINITIVE",
            "ALL_MOST_SOME_OF_NOUN",
            "BEEN_PART_AGREEMENT",
            "CD_NN",
            "DID_BASEFORM",
            "DOES_NP_VBZ",
            "DOUBLE_NEGATIVE",
            "DO_TO",
            "EN_COMPOUNDS_AUTO_CONFIGURATION",
            "EN_COMPOUNDS_HASH_TAG",
            "EVERY_EACH_SINGULAR",
            "FEWER_LESS",
            "KIND_OF_A",
            "MASS_AGREEMENT",
            "MUCH_COUNTABLE",
            "PLURAL_THAT_AGREEMENT",
            "RELATIVE_CLAUSE_AGREEMENT",
            "THE_LATER_LATTER",
            "THE_SUPERLATIVE");

    private final JLanguageTool tool;

    Grammar(Language language) {
        tool = new JLanguageTool(language);
        tool.getAllRules().stream()
                .filter(rule -> rule.isDictionaryBasedSpellingRule()
                        || OTHER_CATEGORIES.contains(rule.getCategory().getId().toString()))
                .forEach(rule -> tool.disableRule(rule.getId()));
        WRONG_HERE.forEach(tool::disableRule);
    }

    @Override
    public List<Finding> check(Sentence sentence) {
        try {
            return tool.check(sentence.text()).stream()
                    .filter(match -> !isAboutCode(sentence.text(), match))
                    .map(match -> finding(sentence, match))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a match contains a placeholder for code or is followed by one: LanguageTool cannot judge the grammar of code. */
    private static boolean isAboutCode(String text, RuleMatch match) {
        int end = Math.min(text.length(), match.getToPos() + 1 + Passage.CODE.length());
        return text.substring(match.getFromPos(), end).contains(Passage.CODE);
    }

    private static Finding finding(Sentence sentence, RuleMatch match) {
        String where = sentence.text().substring(match.getFromPos(), match.getToPos());
        String advice = match.getMessage().replaceAll("</?suggestion>", "\"");
        return new Finding(sentence, "grammar " + match.getRule().getId(), "\"" + where + "\": " + advice);
    }

    /** Returns whether the rules of grammar apply to passages of this kind. */
    static boolean appliesTo(Passage.Kind kind) {
        return kind != Passage.Kind.FRAGMENT;
    }
}
