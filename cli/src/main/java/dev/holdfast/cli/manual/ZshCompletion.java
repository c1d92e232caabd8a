package dev.holdfast.cli.manual;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The completion script for zsh, with the descriptions of the help. Zsh's own parser of arguments does the work, so the script is a table. */
public final class ZshCompletion {

    private static final String SCRIPT = """
            #compdef @program@
            # Completes the arguments of @program@ in zsh. Made by '@program@ completion zsh'.

            @functions@
            _@program@_child() {
              [[ $words[1] == -- ]] && { shift words; (( CURRENT-- )) }
              _normal
            }

            if [[ ${funcstack[1]} == _@program@ ]]; then
              _@program@ "$@"
            else
              (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
              compdef "_@program@" "@program@"
            fi
            """;

    private static final String WITH_COMMANDS = """
            @function@() {
              local curcontext=$curcontext state line
              typeset -A opt_args
              _arguments -C -S \\
            @options@
                '1: :->command' \\
                '*:: :->arguments' && return
              case $state in
                command)
                  local commands=(
            @commands@
                  )
                  _describe -t commands command commands
                  ;;
                arguments) (( $+functions[@function@_$words[1]] )) && @function@_$words[1] ;;
              esac
            }
            """;

    private static final String WITHOUT_COMMANDS = """
            @function@() {
              _arguments -S \\
            @options@@parameters@
            }
            """;

    /** The action that shows what is expected. */
    private static final String MESSAGE = " ";

    /** The action that does nothing. Where an option may come too, a message would keep zsh from completing it. */
    private static final String NO_MATCHES = "{ }";

    private ZshCompletion() {}

    /**
     * Returns the script for a program.
     *
     * @param program the model of the program's own command
     */
    public static String of(CommandSpec program) {
        String functions =
                Syntax.commands(program).stream().map(ZshCompletion::function).collect(Collectors.joining("\n"));
        return SCRIPT.replace("@functions@", functions).replace("@program@", program.name());
    }

    private static String function(CommandSpec command) {
        List<CommandSpec> below = Syntax.subcommands(command);
        String commands = below.stream()
                .map(one -> "        " + Syntax.quoted(one.name() + ":" + Syntax.description(one)))
                .collect(Collectors.joining("\n"));
        return (below.isEmpty() ? WITHOUT_COMMANDS : WITH_COMMANDS)
                .replace("@function@", "_" + command.qualifiedName("_"))
                .replace("@options@", options(command))
                .replace("@parameters@", parameters(command))
                .replace("@commands@", commands);
    }

    private static String options(CommandSpec command) {
        String options = Syntax.options(command).stream()
                .map(option -> "    " + option(option))
                .collect(Collectors.joining(" \\\n"));
        boolean isLast = command.subcommands().isEmpty()
                && command.positionalParameters().isEmpty();
        return isLast ? options : options + " \\";
    }

    private static String option(OptionSpec option) {
        List<String> names = List.of(option.names());
        List<String> forms = Syntax.hasValue(option)
                ? names.stream()
                        .map(name -> name + (name.startsWith("--") ? "=" : "+"))
                        .toList()
                : names;
        String rest = Syntax.quoted("[" + escaped(Syntax.description(option)) + "]"
                + (Syntax.hasValue(option) ? value(option, MESSAGE) : ""));
        if (names.size() == 1) {
            return (option.isMultiValue() ? "'*'" : "") + forms.get(0) + rest;
        }
        return Syntax.quoted("(" + String.join(" ", names) + ")") + "{" + String.join(",", forms) + "}" + rest;
    }

    private static String parameters(CommandSpec command) {
        if (Syntax.startsChild(command)) {
            return "\n    '1:NAME:{ }' \\\n    '(-)*:::command:_@program@_child'";
        }
        return command.positionalParameters().stream()
                .map(ZshCompletion::parameter)
                .collect(Collectors.joining(
                        " \\\n", command.positionalParameters().isEmpty() ? "" : "\n", ""));
    }

    private static String parameter(PositionalParamSpec parameter) {
        String optional = parameter.arity().min() == 0 ? ":" : "";
        return "    " + Syntax.quoted((parameter.index().min() + 1) + optional + value(parameter, NO_MATCHES));
    }

    private static String value(ArgSpec argument, String ifFree) {
        List<String> choices = Syntax.choices(argument);
        String action = Syntax.isDirectory(argument)
                ? "_files -/"
                : Syntax.isFile(argument)
                        ? "_files"
                        : choices.isEmpty() ? ifFree : choices.stream().collect(Collectors.joining(" ", "(", ")"));
        return ":" + escaped(argument.paramLabel()) + ":" + action;
    }

    private static String escaped(String text) {
        return Stream.of("\\", "[", "]", ":").reduce(text, (all, one) -> all.replace(one, "\\" + one));
    }
}
