// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** One run of the command line in this JVM. */
record CommandRun(int status, String out, String err) {
    static CommandRun of(String... arguments) {
        return ofEach(List.of(List.of(arguments))).getFirst();
    }

    /** Runs with the same command line, whose making takes longer than a run that is refused. */
    static List<CommandRun> ofEach(List<List<String>> lines) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Hca.commandLine(new PrintWriter(out), new PrintWriter(err));
        List<CommandRun> runs = new ArrayList<>();
        for (List<String> line : lines) {
            int status = command.execute(line.toArray(String[]::new));
            runs.add(new CommandRun(status, out.toString(), err.toString()));
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
        }
        return runs;
    }
}
