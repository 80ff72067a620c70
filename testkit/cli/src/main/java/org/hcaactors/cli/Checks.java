// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * What options of several commands must hold; else one line says what is allowed.
 *
 * @param spec the command whose options they are
 */
record Checks(CommandSpec spec) {
    void that(boolean holds, String what) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), what);
        }
    }
}
