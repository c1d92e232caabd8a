package dev.holdfast.cli.manual;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page, in the macros of man(7): one page for the program and all of its commands. */
public final class ManPage {

    private static final String CODE = "  ";

    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    /**
     * Returns the page of a program.
     *
     * @param program the model of the program's own command
     */
    public static String of(CommandSpec program) {
        ManPage made = new ManPage();
        made.write(program);
        return made.page.toString();
    }

    private void write(CommandSpec program) {
        String name = program.name();
        line(".\\\" Made by '" + name + " man'.");
        line(".TH " + name.toUpperCase(Locale.ROOT) + " 1 \"\" \"" + escaped(program.version()[0])
                + "\" \"User commands\"");
        line(".nh"); // names of options and variables stay whole
        line(".SH NAME");
        line(escaped(name) + " \\- " + escaped(Syntax.description(program).replaceFirst("\\.$", "")));
        line(".SH SYNOPSIS");
        line(".B " + escaped(synopsis(program)));
        line(".SH DESCRIPTION");
        text(program.usageMessage().footer());
        line(".SH COMMANDS");
        Syntax.commands(program).stream()
                .skip(1)
                .filter(command -> command.subcommands().isEmpty())
                .forEach(this::writeCommand);
        line(".SH OPTIONS");
        text("Every command accepts these options, except -V.");
        Syntax.options(program).forEach(this::writeOption);
    }

    private void writeCommand(CommandSpec command) {
        line(".SS \"" + escaped(synopsis(command)) + "\"");
        text(command.usageMessage().description());
        Syntax.ownOptions(command).forEach(this::writeOption);
        text(command.usageMessage().footer());
    }

    private void writeOption(OptionSpec option) {
        line(".TP");
        String value = Syntax.hasValue(option) ? " \\fI" + escaped(option.paramLabel()) + "\\fR" : "";
        line(Stream.of(option.names())
                .map(name -> "\\fB" + escaped(name) + "\\fR" + value)
                .collect(Collectors.joining(", ")));
        line(protectedLine(Syntax.description(option)));
    }

    private static String synopsis(CommandSpec command) {
        Help help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
        return String.join(" ", help.synopsis(0).strip().split("\\s+"));
    }

    /** Writes lines of the help: empty lines separate paragraphs, and what is indented stays as it is. */
    private void text(String... lines) {
        boolean open = false;
        line(".PP");
        for (String text : List.of(lines)) {
            boolean code = text.startsWith(CODE);
            if (code != open) {
                line(code ? ".nf" : ".fi");
                open = code;
            }
            line(text.isBlank() ? ".PP" : protectedLine(text));
        }
        if (open) {
            line(".fi");
        }
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    /** Returns a line that is no macro, even if it begins with a period or an apostrophe. */
    private static String protectedLine(String text) {
        return (text.startsWith(".") || text.startsWith("'") ? "\\&" : "") + escaped(text);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }
}
