package dev.holdfast.prose.rule;

import java.util.List;

/** The rule that a sentence is short, because it should express one idea. */
final class SentenceLength implements Rule {

    /** The limit for any sentence; 25 words are the aim. */
    static final int MOST_WORDS = 32;

    @Override
    public List<Finding> check(Sentence sentence) {
        int length = sentence.length();
        return length <= MOST_WORDS
                ? List.of()
                : List.of(new Finding(
                        sentence, "length", length + " words; split a sentence of more than " + MOST_WORDS));
    }
}
