package dev.holdfast.prose;

import dev.holdfast.prose.rule.Finding;
import dev.holdfast.prose.rule.Rules;
import dev.holdfast.prose.rule.Sentence;
import dev.holdfast.prose.source.Passage;
import dev.holdfast.prose.source.Passages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The command behind {@code make prose}. Arguments are files and folders, and {@code GRAMMAR=0} leaves LanguageTool out. {@code SAMPLE=n SEED=s} prints
 * n random sentences to read instead.
 */
public final class Prose {

    private Prose() {}

    /** Checks the files and folders given, or all of the working directory. The exit status is 1 if a sentence breaks a rule. */
    public static void main(String[] arguments) {
        List<Path> roots = Arrays.stream(arguments)
                .filter(argument -> !argument.contains("="))
                .map(Path::of)
                .toList();
        List<Passage> passages = (roots.isEmpty() ? List.of(Path.of("")) : roots)
                .stream().flatMap(root -> Passages.below(root).stream()).toList();
        int sample = Integer.parseInt(setting(arguments, "SAMPLE", "0"));
        Rules rules =
                new Rules(sample == 0 && !setting(arguments, "GRAMMAR", "1").equals("0"));
        if (sample > 0) {
            sample(passages, rules, sample, Long.parseLong(setting(arguments, "SEED", "1")))
                    .forEach(sentence -> System.out.println(sentence.passage().file() + ":" + sentence.line() + ": "
                            + sentence.passage().kind() + ": " + sentence.text()));
            return;
        }
        List<Finding> findings = passages.stream()
                .flatMap(passage -> rules.check(passage).stream())
                .toList();
        findings.forEach(System.out::println);
        System.out.println(findings.size() + " findings in " + passages.size() + " passages");
        System.exit(findings.isEmpty() ? 0 : 1);
    }

    private static List<Sentence> sample(List<Passage> passages, Rules rules, int size, long seed) {
        List<Sentence> sentences = new ArrayList<>(passages.stream()
                .flatMap(passage -> rules.sentences(passage).stream())
                .toList());
        Collections.shuffle(sentences, new Random(seed));
        return sentences.subList(0, Math.min(size, sentences.size()));
    }

    private static String setting(String[] arguments, String name, String otherwise) {
        return Stream.of(arguments)
                .filter(argument -> argument.startsWith(name + "="))
                .map(argument -> argument.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }
}
