// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hcaactors.cli.gateway.CableCapture;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketFaults;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the packets of a cable: which are disturbed, where they are written, and how they are counted. */
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class WireOptions {
    @Option(
            names = "--faults",
            paramLabel = "FILE",
            description = "disturb packets in both directions: a fault plan as in a scenario, such as"
                    + " faults = [ { drop { probability = 0.01 } } ]. The adapter is hca, what is outside is cable")
    private @Nullable Path faults;

    @Option(
            names = "--fault-seed",
            paramLabel = "SEED",
            defaultValue = "0",
            description = "seed of the random numbers of the faults (default: 0)")
    @AllowedRange
    private long seed;

    @Option(
            names = "--capture",
            paramLabel = "FILE",
            description =
                    "write the packets of the cable to a pcapng file while they pass, for Wireshark and hca dissect")
    private @Nullable Path capture;

    @Mixin
    private RecordOption record;

    @Option(names = "--report", description = "at the end print all counters: the cable's, and the adapter's above 0")
    private boolean report;

    /** Faults, capture and recorder of a running network. */
    record Wire(Optional<PacketFaults> faults, Optional<CableCapture> capture, RecordOption record) {
        /**
         * Ends the capture, writes the recorded run, and tells what the faults did.
         *
         * @throws BadInputException if a file could not be written
         */
        void end(CableOutput output) throws BadInputException {
            try {
                record.write();
            } finally {
                endCapture(output);
                faults.ifPresent(all -> all.struck().forEach(output::fault));
            }
        }

        private void endCapture(CableOutput output) throws BadInputException {
            if (capture.isPresent()) {
                try {
                    capture.get().close();
                } catch (IOException full) {
                    throw new BadInputException(String.valueOf(full.getMessage()));
                }
                long missing = capture.get().missing();
                if (missing > 0) {
                    output.lost(missing);
                }
            }
        }
    }

    /** True if an option without a default is used. */
    boolean areUsed() {
        return faults != null || capture != null || record.isUsed() || report;
    }

    /** True if all counters are wanted at the end. */
    boolean wantsReport() {
        return report;
    }

    /**
     * Reads the plan of the faults.
     *
     * @throws BadInputException if there is no such file, or it has no plan of faults on packets
     */
    Optional<PacketFaults> plan() throws BadInputException {
        if (faults == null) {
            return Optional.empty();
        }
        BadInputException.unlessReadable(faults);
        try {
            return Optional.of(new PacketFaults(FaultPlan.parse(Files.readString(faults)), seed));
        } catch (IllegalArgumentException refused) {
            throw new BadInputException(faults + ": " + refused.getMessage());
        } catch (CharacterCodingException binary) {
            throw new BadInputException(faults + ": is not a text in UTF-8");
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(faults, unreadable);
        }
    }

    RecordOption record() {
        return record;
    }

    /** Returns where packets are written, if they are. */
    Optional<Path> capture() {
        return Optional.ofNullable(capture);
    }

    /**
     * Begins with an adapter behind a cable.
     *
     * @throws BadInputException if the capture or the recorded run cannot be written, or both to one file
     */
    Wire begin(Station station, Optional<PacketFaults> plan) throws BadInputException {
        if (capture != null && record.writes(capture)) {
            throw new BadInputException(
                    "--capture and --record both name " + capture + "; each requires a file of its own");
        }
        record.create();
        plan.ifPresent(station.network()::intercept);
        if (capture == null) {
            return new Wire(plan, Optional.empty(), record);
        }
        try {
            return new Wire(plan, Optional.of(CableCapture.start(station, capture)), record);
        } catch (IOException refused) {
            throw BadInputException.unwritable(capture, refused);
        }
    }
}
