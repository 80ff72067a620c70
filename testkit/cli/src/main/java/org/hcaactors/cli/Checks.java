package org.hcaactors.cli;

import java.util.Arrays;
import org.hcaactors.api.queue.PathMtu;
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

    PathMtu mtu(int bytes) {
        return Arrays.stream(PathMtu.values())
                .filter(known -> known.bytes() == bytes)
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "--mtu is " + bytes + "; 256, 512, 1024, 2048 and 4096 are allowed"));
    }
}
