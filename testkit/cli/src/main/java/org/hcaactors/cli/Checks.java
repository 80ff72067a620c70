// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Checks of options that several commands have; a failure is one line that says what is allowed.
 *
 * @param spec the command with the options
 */
record Checks(CommandSpec spec) {
    void that(boolean holds, String what) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), what);
        }
    }
}
