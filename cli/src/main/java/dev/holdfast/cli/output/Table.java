package dev.holdfast.cli.output;

import java.util.ArrayList;
import java.util.List;

/** A table with columns as wide as their widest cell, two blanks apart. */
public final class Table {

    private static final int WIDEST = 100;

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    /** Adds a row. Cells are made printable; an empty cell is shown as a dash. */
    public Table row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            String text = Printable.line(cell.toString(), WIDEST);
            row.add(text.isEmpty() ? "-" : text);
        }
        rows.add(row);
        return this;
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(row.get(column)).append(" ".repeat(width(column) - length(row.get(column)) + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
