package dev.holdfast.prose.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of pages: the text between tags, and the attributes that browsers and screen readers show. */
final class HtmlReader implements Reader {

    private static final Pattern HIDDEN = Pattern.compile("<!--.*?-->|<(script|style)\\b.*?</\\1>", Pattern.DOTALL);
    private static final Pattern SHOWN =
            Pattern.compile(">(?<text>[^<>]+)<|(?:title|alt|placeholder|aria-label)=\"(?<attribute>[^\"]+)\"");

    @Override
    public List<Passage> read(Path file, String content) {
        String shown = HIDDEN.matcher(content)
                .replaceAll(match -> "\n".repeat((int)
                        match.group().chars().filter(c -> c == '\n').count()));
        List<Passage> passages = new ArrayList<>();
        Matcher matcher = SHOWN.matcher(shown);
        while (matcher.find()) {
            String text = matcher.group("text") != null ? matcher.group("text") : matcher.group("attribute");
            if (Comments.isMessage(text)) {
                int line = 1
                        + (int) shown.substring(0, matcher.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                passages.add(new Passage(file, line, Passage.Kind.MESSAGE, text.strip()));
            }
        }
        return passages;
    }
}
