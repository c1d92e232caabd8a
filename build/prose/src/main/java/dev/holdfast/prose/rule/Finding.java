package dev.holdfast.prose.rule;

/**
 * A sentence that breaks a rule.
 *
 * @param sentence the sentence
 * @param rule the name of the rule
 * @param advice what to write instead, or what is wrong
 */
public record Finding(Sentence sentence, String rule, String advice) {

    @Override
    public String toString() {
        return sentence.passage().file() + ":" + sentence.line() + ": " + rule + ": " + advice + "\n    "
                + sentence.text();
    }
}
