package dev.holdfast.prose.source;

import com.sun.source.doctree.BlockTagTree;
import com.sun.source.doctree.DeprecatedTree;
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.EndElementTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReturnTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.doctree.ThrowsTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A reader of Javadoc, messages and comments in Java sources, by the compiler's own parser. */
final class JavaReader implements Reader {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    @Override
    public List<Passage> read(Path file, String content) {
        List<Passage> passages = new ArrayList<>(Comments.ofJava().read(file, content));
        JavacTask task = (JavacTask)
                COMPILER.getTask(null, null, diagnostic -> {}, List.of("-proc:none"), null, List.of(source(content)));
        DocTrees docs = DocTrees.instance(task);
        try {
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(file, unit, docs, passages).scan(unit, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return passages;
    }

    private static JavaFileObject source(String content) {
        return new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return content;
            }
        };
    }

    private static final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final Path file;
        private final CompilationUnitTree unit;
        private final DocTrees docs;
        private final List<Passage> passages;

        Scanner(Path file, CompilationUnitTree unit, DocTrees docs, List<Passage> passages) {
            this.file = file;
            this.unit = unit;
            this.docs = docs;
            this.passages = passages;
        }

        @Override
        public @Nullable Void visitPackage(PackageTree tree, @Nullable Void none) {
            document(Passage.Kind.MEMBER);
            return super.visitPackage(tree, null);
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void none) {
            document(Passage.Kind.TYPE);
            return super.visitClass(tree, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Void none) {
            document(tree.getReturnType() == null ? Passage.Kind.MEMBER : Passage.Kind.METHOD);
            return super.visitMethod(tree, null);
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void none) {
            document(Passage.Kind.MEMBER);
            return super.visitVariable(tree, null);
        }

        @Override
        public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void none) {
            if (tree.getKind() == Tree.Kind.PLUS) {
                List<Tree> parts = new ArrayList<>();
                flatten(tree, parts);
                if (parts.stream().anyMatch(Scanner::isString)) {
                    StringBuilder text = new StringBuilder();
                    for (Tree part : parts) {
                        text.append(isString(part) ? ((LiteralTree) part).getValue() : Passage.CODE);
                        if (!isString(part)) {
                            scan(part, null);
                        }
                    }
                    message(tree, text.toString());
                    return null;
                }
            }
            return super.visitBinary(tree, null);
        }

        @Override
        public @Nullable Void visitLiteral(LiteralTree tree, @Nullable Void none) {
            if (isString(tree)) {
                message(tree, (String) tree.getValue());
            }
            return null;
        }

        private static void flatten(Tree tree, List<Tree> parts) {
            if (tree instanceof BinaryTree plus && tree.getKind() == Tree.Kind.PLUS) {
                flatten(plus.getLeftOperand(), parts);
                flatten(plus.getRightOperand(), parts);
            } else {
                parts.add(tree);
            }
        }

        private static boolean isString(Tree tree) {
            return tree.getKind() == Tree.Kind.STRING_LITERAL;
        }

        private void message(Tree tree, String text) {
            if (Comments.isMessage(text) && !text.startsWith("#!")) {
                String words = text.replaceAll("\\{\\d[^}]*}|%[-,\\d.]*[sdfn]", Passage.CODE)
                        .replace("''", "'");
                // indented lines are a table or examples, not one sentence
                List<String> parts = words.contains("\n  ")
                        ? words.lines().map(String::strip).toList()
                        : List.of(words);
                int line = line(docs.getSourcePositions().getStartPosition(unit, tree));
                parts.stream()
                        .filter(part -> !part.isBlank())
                        .map(part -> new Passage(file, line, Passage.Kind.MESSAGE, Comments.withoutCode(part)))
                        .forEach(passages::add);
            }
        }

        private int line(long position) {
            return position < 0 ? 1 : (int) unit.getLineMap().getLineNumber(position);
        }

        private void document(Passage.Kind kind) {
            DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            if (comment != null) {
                describe(kind, comment, comment.getFullBody());
                for (DocTree tag : comment.getBlockTags()) {
                    if (tag instanceof BlockTagTree) {
                        describe(Passage.Kind.TAG, comment, description(tag));
                    }
                }
            }
        }

        private static List<? extends DocTree> description(DocTree tag) {
            if (tag instanceof ParamTree param) {
                return param.getDescription();
            }
            if (tag instanceof ReturnTree result) {
                return result.getDescription();
            }
            if (tag instanceof ThrowsTree thrown) {
                return thrown.getDescription();
            }
            return tag instanceof DeprecatedTree deprecated ? deprecated.getBody() : List.of();
        }

        /** Adds a passage for each paragraph; only the first one keeps its kind, which the rules about openings judge. */
        private void describe(Passage.Kind kind, DocCommentTree comment, List<? extends DocTree> trees) {
            StringBuilder text = new StringBuilder();
            Passage.Kind next = kind;
            int line = 0;
            boolean isPreformatted = false;
            for (DocTree tree : trees) {
                if (tree instanceof StartElementTree start) {
                    isPreformatted |= start.getName().contentEquals("pre");
                    if (isBlock(start.getName().toString())) {
                        next = flush(text, line, next);
                    }
                } else if (tree instanceof EndElementTree end) {
                    isPreformatted &= !end.getName().contentEquals("pre");
                    if (isBlock(end.getName().toString())) {
                        next = flush(text, line, next);
                    }
                } else if (!isPreformatted) {
                    if (text.toString().isBlank()) {
                        text.setLength(0);
                        line = line(docs.getSourcePositions().getStartPosition(unit, comment, tree));
                    }
                    text.append(words(tree));
                }
            }
            flush(text, line, next);
        }

        private static boolean isBlock(String element) {
            return List.of(
                            "p", "li", "ul", "ol", "pre", "td", "th", "tr", "table", "caption", "h1", "h2", "h3", "h4",
                            "dt", "dd")
                    .contains(element);
        }

        private Passage.Kind flush(StringBuilder text, int line, Passage.Kind kind) {
            if (text.toString().isBlank()) {
                return kind;
            }
            passages.add(new Passage(file, line, kind, text.toString().strip()));
            text.setLength(0);
            return kind == Passage.Kind.TAG ? kind : Passage.Kind.COMMENT;
        }

        private static String words(DocTree tree) {
            if (tree instanceof TextTree text) {
                return text.getBody();
            }
            if (tree instanceof EntityTree entity) {
                return entity.getName().contentEquals("nbsp") ? " " : "&";
            }
            if (tree instanceof LinkTree link && !link.getLabel().isEmpty()) {
                StringBuilder label = new StringBuilder();
                link.getLabel().forEach(part -> label.append(words(part)));
                return label.toString();
            }
            return Passage.CODE;
        }
    }
}
