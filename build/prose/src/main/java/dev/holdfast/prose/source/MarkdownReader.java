package dev.holdfast.prose.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/** A reader of Markdown, without its blocks of code and HTML. */
final class MarkdownReader implements Reader {

    private static final Parser PARSER = Parser.builder()
            .extensions(List.of(TablesExtension.create()))
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();

    @Override
    public List<Passage> read(Path file, String content) {
        List<Passage> passages = new ArrayList<>();
        PARSER.parse(content).accept(new AbstractVisitor() {
            @Override
            public void visit(Paragraph paragraph) {
                boolean isEntry = paragraph.getParent() instanceof ListItem;
                add(paragraph, isEntry ? Passage.Kind.FRAGMENT : Passage.Kind.PARAGRAPH);
            }

            @Override
            public void visit(Heading heading) {
                add(heading, Passage.Kind.FRAGMENT);
            }

            @Override
            public void visit(CustomNode node) {
                if (node instanceof TableCell) {
                    add(node, Passage.Kind.FRAGMENT);
                } else {
                    visitChildren(node);
                }
            }

            private void add(Node node, Passage.Kind kind) {
                List<SourceSpan> spans = node.getSourceSpans();
                int line = spans.isEmpty() ? 1 : spans.get(0).getLineIndex() + 1;
                passages.add(new Passage(file, line, kind, text(node)));
            }
        });
        return passages;
    }

    private static String text(Node block) {
        StringBuilder text = new StringBuilder();
        block.accept(new AbstractVisitor() {
            @Override
            public void visit(Text words) {
                text.append(words.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(Passage.CODE);
            }

            @Override
            public void visit(Image image) {
                text.append(Passage.CODE);
            }

            @Override
            public void visit(SoftLineBreak lineBreak) {
                text.append('\n');
            }

            @Override
            public void visit(HardLineBreak lineBreak) {
                text.append('\n');
            }
        });
        return text.toString();
    }
}
