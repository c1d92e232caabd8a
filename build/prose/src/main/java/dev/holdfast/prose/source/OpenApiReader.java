package dev.holdfast.prose.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of a description of an API in OpenAPI: its titles, summaries and descriptions. The description of an operation needs sentences with verbs. */
final class OpenApiReader implements Reader {

    private static final Pattern TEXT =
            Pattern.compile("\"(?<key>title|summary|description)\"\\s*:\\s*\"(?<text>(?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    @Override
    public List<Passage> read(Path file, String content) {
        List<Passage> passages = new ArrayList<>();
        boolean ofAnOperation = false;
        Matcher matcher = TEXT.matcher(content);
        while (matcher.find()) {
            String text =
                    ESCAPED.matcher(matcher.group("text")).replaceAll("$1").strip();
            boolean isDescription = matcher.group("key").equals("description");
            Passage.Kind kind = ofAnOperation && isDescription
                    ? Passage.Kind.PARAGRAPH
                    : isDescription ? Passage.Kind.MESSAGE : Passage.Kind.FRAGMENT;
            int line = 1
                    + (int) content.substring(0, matcher.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            if (!text.isEmpty()) {
                passages.add(new Passage(file, line, kind, text));
            }
            ofAnOperation = matcher.group("key").equals("summary");
        }
        return passages;
    }
}
