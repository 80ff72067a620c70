// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.cable.CableException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The hca command. Exit status: 0 done, 1 an expectation did not hold, 2 bad usage or input, with one line on stderr. */
@Command(
        name = "hca",
        description = "Runs, disturbs and shows a modelled RDMA adapter made of actors.",
        mixinStandardHelpOptions = true,
        version = "hca-actors 0.1.0",
        subcommands = {
            Demo.class,
            Exec.class,
            RunScenario.class,
            PingPong.class,
            GatewayCommand.class,
            NodeCommand.class,
            Perf.class,
            Scale.class,
            ScaleNodeCommand.class,
            DevInfo.class,
            Config.class,
            Vnic.class,
            Paging.class,
            Dissect.class,
            SweepCommand.class,
            SweepWorkerCommand.class,
            SoakCommand.class,
            Explain.class,
            Flow.class,
            Join.class,
            Conform.class,
            CommandLine.HelpCommand.class
        })
public final class Hca implements Runnable {
    static final int OK = 0;
    static final int NOT_AS_EXPECTED = 1;
    static final int BAD_INPUT = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is required: "
                        + spec.subcommands().entrySet().stream()
                                .filter(each -> !each.getValue()
                                        .getCommandSpec()
                                        .usageMessage()
                                        .hidden())
                                .map(Map.Entry::getKey)
                                .collect(Collectors.joining(", ")));
    }

    /** Returns the command line, with these outputs. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new Hca())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Path.class, Hca::path)
                .setParameterExceptionHandler(
                        (wrong, arguments) -> printError(wrong.getCommandLine(), Ranges.words(wrong)))
                .setExecutionStrategy(parsed -> {
                    Ranges.check(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setExecutionExceptionHandler((failure, command, parsed) -> switch (failure) {
                    case BadInputException bad -> printError(command, bad.getMessage());
                    case CableException refused -> printError(command, refused.getMessage());
                    case VerbsException refused ->
                        printError(command, "an adapter refused a verb: " + refused.getMessage());
                    case Exception other -> printError(command, "unexpected: " + other);
                });
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException none) {
            throw new TypeConversionException("not a path: " + none.getReason());
        }
    }

    private static int printError(CommandLine command, @org.jspecify.annotations.Nullable String what) {
        String line = oneLine(String.valueOf(what).lines().findFirst().orElse(""));
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println("hca: " + line + " (try: " + name + " --help)");
        command.getErr().flush();
        return BAD_INPUT;
    }

    /** Replaces line breaks and other control characters of the caller's text. */
    static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = commandLine(out, err).execute(arguments);
        out.flush();
        System.exit(status);
    }
}
