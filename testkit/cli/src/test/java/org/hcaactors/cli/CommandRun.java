// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One run of the command line in this JVM. */
record CommandRun(int status, String out, String err) {
    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Hca.commandLine(new PrintWriter(out), new PrintWriter(err)).execute(arguments);
        return new CommandRun(status, out.toString(), err.toString());
    }
}
