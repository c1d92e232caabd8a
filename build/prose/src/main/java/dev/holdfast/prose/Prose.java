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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command behind {@code make prose}. Arguments are files and folders, and {@code GRAMMAR=0} leaves LanguageTool out. {@code SAMPLE=n SEED=s} prints
 * n random sentences to read instead: 30 % public Javadoc, 20 % internal Javadoc and comments, 30 % documentation and 20 % messages.
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
        Map<Share, List<Sentence>> all = passages.stream()
                .filter(passage -> !passage.file().toString().contains("test"))
                .flatMap(passage -> rules.sentences(passage).stream())
                .filter(sentence -> sentence.text()
                        .matches("(.*\\p{Alpha}{2,}){4}.*")) // table cells with figures and names are no sentences
                .collect(Collectors.groupingBy(
                        sentence -> Share.of(sentence.passage()),
                        () -> new EnumMap<>(Share.class),
                        Collectors.toList()));
        List<Sentence> sample = new ArrayList<>();
        all.forEach((share, sentences) -> {
            List<Sentence> shuffled = new ArrayList<>(sentences);
            Collections.shuffle(shuffled, new Random(seed));
            sample.addAll(shuffled.subList(0, Math.min(size * share.tenths / 10, shuffled.size())));
        });
        return sample;
    }

    /** The parts of a sample. */
    private enum Share {
        PUBLIC_JAVADOC(3),
        INTERNAL_JAVADOC(2),
        DOCUMENTATION(3),
        MESSAGES(2);

        private final int tenths;

        Share(int tenths) {
            this.tenths = tenths;
        }

        static Share of(Passage passage) {
            String file = passage.file().toString();
            boolean isApi = file.matches("(.*/)?(core|nodes|integrations)/.*\\.java") && !file.contains("internal");
            return switch (passage.kind()) {
                case MESSAGE -> MESSAGES;
                case TYPE, METHOD, MEMBER, TAG -> isApi ? PUBLIC_JAVADOC : INTERNAL_JAVADOC;
                case COMMENT -> INTERNAL_JAVADOC;
                case PARAGRAPH, FRAGMENT -> DOCUMENTATION;
            };
        }
    }

    private static String setting(String[] arguments, String name, String otherwise) {
        return Stream.of(arguments)
                .filter(argument -> argument.startsWith(name + "="))
                .map(argument -> argument.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }
}
