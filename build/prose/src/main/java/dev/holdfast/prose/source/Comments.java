package dev.holdfast.prose.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of comments, and optionally of quoted texts, in languages that it parses only roughly. */
final class Comments implements Reader {

    /** Three words or more: a shorter text may be a name, a key or a pattern. */
    private static final Pattern MESSAGE =
            Pattern.compile("(\\p{Alpha}[\\p{Alpha}'-]*[,;:]? +){2}\\p{Alpha}.*", Pattern.DOTALL);

    /** The table of a script's keys, arguments and answers, which contains no sentences. */
    private static final Pattern ARGUMENTS = Pattern.compile("^KEYS\\b.*", Pattern.MULTILINE | Pattern.DOTALL);

    /** The places between paragraphs and tags in the documentation of Kotlin. */
    private static final Pattern PART_OF_DOCUMENT =
            Pattern.compile("\\n\\s*\\*\\s*(?=\\n)|\\n\\s*\\* @(param|throws) [\\w.]+ |\\n\\s*\\* @return ");

    private static final Pattern CODE = Pattern.compile("(?<=[^\\w])\\[[\\w.]+]|`[^`]*`|\\$\\{[^}]*}|\\{@\\w+"
            + " ?[^}]*}|\\b\\w+\\([^)]*\\)|\\b\\w+[_./]\\w[\\w./-]*|https?:\\S+");

    private final Pattern token;
    private final boolean messages;
    private final boolean documents;

    private Comments(String lineComment, boolean blocks, boolean messages, boolean documents) {
        String block = blocks ? "|(?<block>/\\*.*?\\*/)" : "";
        this.token = Pattern.compile(
                "(?<text>\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`)"
                        + block + "|(?<line>" + lineComment + "[^\\n]*)",
                Pattern.DOTALL);
        this.messages = messages;
        this.documents = documents;
    }

    static Comments ofJava() {
        return new Comments("//", true, false, false);
    }

    static Comments ofJavaScript() {
        return new Comments("//", true, true, false);
    }

    /** Returns the reader for Kotlin, whose documentation is Markdown in comments. */
    static Comments ofKotlin() {
        return new Comments("//", true, true, true);
    }

    static Comments ofLua() {
        return new Comments("--", false, false, false);
    }

    /** Returns the reader for shell scripts, YAML, properties and Makefiles. */
    static Comments withHashes() {
        return new Comments("(?<![^\\s])#+", false, false, false);
    }

    @Override
    public List<Passage> read(Path file, String content) {
        List<Passage> passages = new ArrayList<>();
        StringBuilder comment = new StringBuilder();
        int commentLine = 0;
        int lastLine = -1;
        Matcher matcher = token.matcher(content);
        int line = 1;
        int counted = 0;
        while (matcher.find()) {
            line += (int) content.substring(counted, matcher.start())
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            counted = matcher.start();
            String found = matcher.group();
            if (matcher.group("line") != null) {
                boolean ownLine = content.substring(content.lastIndexOf('\n', matcher.start()) + 1, matcher.start())
                        .isBlank();
                if (!(ownLine && line == lastLine + 1 && comment.length() > 0)) {
                    add(passages, file, commentLine, comment);
                    commentLine = line;
                }
                comment.append(comment.length() > 0 ? "\n" : "")
                        .append(found.replaceFirst("^(//|--|#+)\\s?!?", "").strip());
                lastLine = ownLine ? line : -1;
            } else if (found.startsWith("/**") && documents) {
                for (String part : PART_OF_DOCUMENT.split(found.substring(3, found.length() - 2))) {
                    add(
                            passages,
                            file,
                            line,
                            new StringBuilder(
                                    part.replaceAll("(?m)^\\s*\\* ?", "").strip()));
                }
            } else if (found.startsWith("/*") && !found.startsWith("/**")) {
                StringBuilder block =
                        new StringBuilder(found.substring(2, found.length() - 2).replaceAll("(?m)^\\s*\\*? ?", ""));
                add(passages, file, line, block);
            } else if (messages && !found.startsWith("/*")) {
                String text = found.substring(1, found.length() - 1);
                if (isMessage(text)) {
                    passages.add(new Passage(file, line, Passage.Kind.MESSAGE, withoutCode(text)));
                }
            }
        }
        add(passages, file, commentLine, comment);
        return passages;
    }

    private static void add(List<Passage> passages, Path file, int line, StringBuilder comment) {
        String text = withoutCode(ARGUMENTS.matcher(comment).replaceFirst(""));
        boolean isCode = text.strip().endsWith(";")
                || text.strip().endsWith("{")
                || text.contains("shellcheck")
                || text.strip().startsWith("----");
        if (!text.isBlank() && !isCode) {
            passages.add(new Passage(file, line, Passage.Kind.COMMENT, text));
        }
        comment.setLength(0);
    }

    /** Returns whether a string of a program is a sentence, or part of one, that a person reads. */
    static boolean isMessage(String text) {
        String upper = text.strip().toUpperCase(Locale.ROOT);
        boolean isCode =
                upper.matches("(?s)(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|BEGIN|LOCAL|RETURN|IF|<).*")
                        || text.contains("redis.call")
                        || text.contains("-X");
        return !isCode && MESSAGE.matcher(text.strip().replaceAll("\\\\n", " ")).find();
    }

    static String withoutCode(String text) {
        return CODE.matcher(text).replaceAll(Passage.CODE);
    }
}
