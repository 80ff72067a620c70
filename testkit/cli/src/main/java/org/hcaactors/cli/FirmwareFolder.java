// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.hcaactors.network.Environment;
import org.hcaactors.network.FirmwareFiles;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Folder of the modelled devices' firmware settings, and a network that uses them. */
final class FirmwareFolder {
    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "folder of the settings of the devices (default: hca in $XDG_STATE_HOME or ~/.local/state)")
    private @Nullable Path folder;

    RdmaNetwork network() throws BadInputException {
        return RdmaNetwork.start(Environment.production().withFirmware(FirmwareFiles.in(path())));
    }

    private Path path() throws BadInputException {
        Path named = folder;
        if (named != null) {
            return named;
        }
        String state = System.getenv("XDG_STATE_HOME");
        Path base = state == null || state.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : named(state);
        return base.resolve("hca");
    }

    private static Path named(String state) throws BadInputException {
        try {
            return Path.of(state);
        } catch (InvalidPathException none) {
            throw new BadInputException("XDG_STATE_HOME is not a path: " + none.getReason());
        }
    }
}
