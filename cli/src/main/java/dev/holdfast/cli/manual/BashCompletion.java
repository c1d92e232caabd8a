package dev.holdfast.cli.manual;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion script for bash, 3.2 and later. It never runs the command line, whose start would delay each completion. It follows the parser: the value of an
 * option is never a command, and what comes after the name of {@code run} and {@code elect} is completed as the command line that it is.
 */
public final class BashCompletion {

    private static final String SCRIPT = """
            # Completes the arguments of @program@ in bash. Made by '@program@ completion bash'.

            _@program@() {
              local cur=${COMP_WORDS[COMP_CWORD]} rest=${COMP_LINE#*"${COMP_WORDS[0]}"} words=() at=() i
              # Bash splits words at ':' and '=' too; words that no blank separates are one word here.
              for ((i = 1; i <= COMP_CWORD; i++)); do
                if [[ ${#words[@]} -eq 0 || $rest == [[:blank:]]* ]]; then
                  words+=("${COMP_WORDS[i]}")
                  at+=("$i")
                else
                  words[${#words[@]} - 1]+=${COMP_WORDS[i]}
                fi
                rest=${rest#"${rest%%[![:blank:]]*}"}
                rest=${rest#"${COMP_WORDS[i]}"}
              done

              local last=$((${#words[@]} - 1)) path=@program@ option='' names=0 plain='' child='' runs='' word
              for ((i = 0; i < last; i++)); do
                word=${words[i]}
                if [[ $option ]]; then
                  option=''
                elif [[ $word == -- ]]; then
                  if [[ $runs && $names -eq 1 ]]; then child=$((i + 1)) && break; fi
                  plain=yes
                elif [[ $plain || $word != -?* ]]; then
                  if [[ $runs && $names -eq 1 ]]; then child=$i && break; fi
                  case "$path $word" in
                    @paths@) path+=" $word" ;;
                    *) ((++names)) ;;
                  esac
                  case $path in @children@) runs=yes ;; esac
                else
                  case $word in @valued@) option=$word ;; esac
                fi
              done
              word=${words[last]}
              if [[ ! $child && ! $option && $runs && $names -eq 1 && $word != -* ]]; then child=$last; fi

              local IFS=$'\\n'
              COMPREPLY=()
              if [[ $child ]]; then
                if declare -F _command_offset > /dev/null; then
                  _command_offset "${at[child]}"
                elif [[ $child -eq $last ]]; then
                  COMPREPLY=($(compgen -c -- "$cur"))
                else
                  compopt -o filenames 2> /dev/null
                  COMPREPLY=($(compgen -f -- "$cur"))
                fi
                return
              fi
              if [[ ! $option && ! $plain && $word == --*=* ]]; then
                option=${word%%=*}
                [[ $cur == = ]] && cur=''
              fi

              local choice='' shared=@shared@
              if [[ $option ]]; then
                case "$path $option" in
                  @files@) @complete-files@ ;;
                  @directories@) compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
            @choices@
                esac
              elif [[ ! $plain && $word == -* ]]; then
                case $path in
            @options@
                esac
                choice+=" $shared"
              else
                case $path in
            @arguments@
                esac
              fi
              IFS=$' \\n'
              [[ $choice ]] && COMPREPLY=($(compgen -W "$choice" -- "$cur"))
            }

            complete -F "_@program@" "@program@"
            """;

    private static final String FILES = "compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))";

    private BashCompletion() {}

    /**
     * Returns the script for a program.
     *
     * @param program the model of the program's own command
     */
    public static String of(CommandSpec program) {
        List<CommandSpec> commands = Syntax.commands(program);
        return SCRIPT.replace("@paths@", patterns(commands.stream().skip(1).map(CommandSpec::qualifiedName)))
                .replace(
                        "@children@",
                        patterns(commands.stream().filter(Syntax::startsChild).map(CommandSpec::qualifiedName)))
                .replace("@valued@", patterns(names(commands, Syntax::hasValue)))
                .replace("@complete-files@", FILES)
                .replace("@files@", paths(names(commands, Syntax::isFile)))
                .replace("@directories@", paths(names(commands, Syntax::isDirectory)))
                .replace("@choices@", cases(commands.stream().flatMap(BashCompletion::choices)))
                .replace("@options@", cases(commands.stream().flatMap(command -> options(program, command))))
                .replace("@shared@", Syntax.words(shared(program)))
                .replace("@arguments@", cases(commands.stream().flatMap(BashCompletion::arguments)))
                .replace("@program@", program.name());
    }

    private static Stream<String> names(List<CommandSpec> commands, Predicate<OptionSpec> isOf) {
        return commands.stream()
                .flatMap(command -> Syntax.options(command).stream())
                .filter(isOf)
                .flatMap(option -> Stream.of(option.names()))
                .distinct();
    }

    private static Stream<String> choices(CommandSpec command) {
        return Syntax.options(command).stream()
                .filter(option -> !Syntax.choices(option).isEmpty())
                .map(option -> choice(
                        patterns(Stream.of(option.names()).map(name -> command.qualifiedName() + " " + name)),
                        Syntax.choices(option)));
    }

    /** Returns the names of the options that every command accepts. */
    private static List<String> shared(CommandSpec program) {
        CommandSpec command = Syntax.subcommands(program).get(0);
        return names(List.of(command), OptionSpec::inherited).toList();
    }

    private static Stream<String> options(CommandSpec program, CommandSpec command) {
        List<String> shared = shared(program);
        List<String> own = names(List.of(command), option -> true)
                .filter(name -> !shared.contains(name))
                .toList();
        return own.isEmpty() ? Stream.of() : Stream.of(choice(Syntax.quoted(command.qualifiedName()), own));
    }

    private static Stream<String> arguments(CommandSpec command) {
        if (command.positionalParameters().stream().anyMatch(Syntax::isFile)) {
            return Stream.of(Syntax.quoted(command.qualifiedName()) + ") " + FILES + " ;;");
        }
        List<String> words = Stream.concat(
                        Syntax.subcommandNames(command).stream(),
                        command.positionalParameters().stream()
                                .map(ArgSpec.class::cast)
                                .flatMap(parameter -> Syntax.choices(parameter).stream()))
                .toList();
        return words.isEmpty() ? Stream.of() : Stream.of(choice(Syntax.quoted(command.qualifiedName()), words));
    }

    private static String choice(String pattern, List<String> words) {
        return pattern + ") choice=" + Syntax.words(words) + " ;;";
    }

    private static String cases(Stream<String> cases) {
        return cases.map(one -> "      " + one).collect(Collectors.joining("\n"));
    }

    private static String patterns(Stream<String> words) {
        return words.map(Syntax::quoted).collect(Collectors.joining(" | "));
    }

    private static String paths(Stream<String> options) {
        return options.map(name -> "*" + Syntax.quoted(" " + name)).collect(Collectors.joining(" | "));
    }
}
