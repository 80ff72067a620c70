// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;

/**
 * The page of the command line: its list of commands and a section with the help of each. With {@code -Dguide.write=true} these
 * are written again; without, they must be as they would be written.
 */
class CommandLinePageTest {
    private static final Path PAGE = Path.of("../../docs/reference/command-line.md");
    private static final Pattern LIST =
            Pattern.compile("^\\| command \\|.*?(?=^$)", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern SECTIONS = Pattern.compile("^## hca .*", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern SENTENCE = Pattern.compile("^.*?(?:\\.(?=\\s)|:(?=\n|%n)|$)", Pattern.DOTALL);

    private final List<CommandLine> commands = Hca.commandLine(
                    new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()))
            .getSubcommands()
            .values()
            .stream()
            .filter(command -> !(command.getCommand() instanceof HelpCommand))
            .filter(command -> !command.getCommandSpec().usageMessage().hidden())
            .toList();

    @Test
    void thePageHasTheHelpOfEveryCommand() throws IOException {
        String page = Files.readString(PAGE);
        String listed = LIST.matcher(page).replaceFirst(Matcher.quoteReplacement(list()));
        String expected = SECTIONS.matcher(listed).replaceFirst("").stripTrailing() + "\n" + sections();
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE).as("written again by -Dguide.write=true").hasContent(expected);
    }

    private String list() {
        return "| command | does |\n|---|---|\n"
                + commands.stream()
                        .map(command -> "| [`%1$s`](#%2$s) | %3$s |\n"
                                .formatted(name(command), name(command).replace(' ', '-'), sentence(command)))
                        .collect(joining());
    }

    private String sections() {
        return commands.stream()
                .map(command -> "\n## %s\n\n```text\n%s\n```\n"
                        .formatted(
                                name(command), command.getUsageMessage(Ansi.OFF).stripTrailing()))
                .collect(joining());
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    /** The first one of its description. */
    private static String sentence(CommandLine command) {
        String description =
                String.join("\n", command.getCommandSpec().usageMessage().description());
        Matcher sentence = SENTENCE.matcher(description);
        return (sentence.find() ? sentence.group() : description)
                .replaceAll("\\s+", " ")
                .replaceFirst(":$", ".")
                .replace("|", "\\|");
    }
}
