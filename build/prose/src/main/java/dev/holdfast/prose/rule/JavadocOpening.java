package dev.holdfast.prose.rule;

import dev.holdfast.prose.source.Passage;
import java.util.List;
import java.util.regex.Pattern;

/** The rule that the description of a method opens with a verb in the third person, and that of a type with a noun. */
final class JavadocOpening implements Rule {

    private static final Pattern VERB =
            Pattern.compile("[A-Z][a-z-]*(s|oes) .*|(Does|Is|Has) .*|Foo.*", Pattern.DOTALL);
    private static final Pattern NO_VERB = Pattern.compile(
            "(This|As|Always|Sometimes|Perhaps|Whereas|Unless|Its|Those|Its|Ours|Theirs|Yes|Less|Plus|Thus|Ends?less) .*",
            Pattern.DOTALL);
    private static final Pattern NO_NOUN = Pattern.compile(
            "(This|That|Those|These|Who|Whose|Whoever|What|Whatever|Where|When|How|Whether|If|As|Is|Makes?|Holds?|Keeps?|Tells?|Sees?|Says?|Does|Do|Gives?|Takes?) .*",
            Pattern.DOTALL);

    @Override
    public List<Finding> check(Sentence sentence) {
        if (!sentence.isFirst()) {
            return List.of();
        }
        String text = sentence.text();
        if (sentence.passage().kind() == Passage.Kind.METHOD
                && (!VERB.matcher(text).matches() || NO_VERB.matcher(text).matches())) {
            return List.of(new Finding(
                    sentence,
                    "opening",
                    "open the description of a method with a verb in the third person (\"Acquires the lock\")"));
        }
        if (sentence.passage().kind() == Passage.Kind.TYPE
                && NO_NOUN.matcher(text).matches()) {
            return List.of(new Finding(
                    sentence, "opening", "open the description of a type with a noun (\"A lease on a lock\")"));
        }
        return List.of();
    }
}
