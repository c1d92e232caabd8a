package dev.holdfast.cli.command;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Help pages that show only a command's own options. The program's help shows the shared options once. */
final class HelpPages {

    private static final String SHARED =
            "\nAlso the options of 'holdfast --help': --node URI, --config FILE and others.\n";

    private static final Set<String> WITHOUT_NODES = Set.of("dev", "completion", "man");

    private HelpPages() {}

    static void shorten(CommandLine program) {
        for (CommandLine command : program.getSubcommands().values()) {
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPages::ownOptions);
            command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
            shorten(command);
        }
    }

    private static String ownOptions(Help help) {
        List<OptionSpec> own = help.commandSpec().options().stream()
                .filter(option -> !option.inherited())
                .sorted(Comparator.comparingInt(OptionSpec::order)) // a command's options before those that it shares
                .toList();
        Help.Layout layout = help.createDefaultLayout();
        layout.addOptions(own, help.parameterLabelRenderer());
        boolean asksNodes =
                !WITHOUT_NODES.contains(help.commandSpec().qualifiedName().split(" ")[1]);
        return layout + (asksNodes ? SHARED : "");
    }
}
