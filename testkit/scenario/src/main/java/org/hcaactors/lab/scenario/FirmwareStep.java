// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.Restart;

/** An action on the firmware of a live adapter. */
public sealed interface FirmwareStep {
    String adapter();

    Duration at();

    /** Returns the text for ladders. */
    String words();

    /** Changes settings, effective at the next start. */
    record Set(String adapter, Duration at, List<FirmwareAssignment> requested) implements FirmwareStep {
        public Set {
            requested = List.copyOf(requested);
        }

        @Override
        public String words() {
            return requested.stream()
                    .map(each ->
                            each.parameter() + "=" + each.parameter().type().show(each.value()))
                    .collect(Collectors.joining(", ", "set ", ": from the next start on"));
        }
    }

    /** Restores the defaults, effective at the next start. */
    record Reset(String adapter, Duration at) implements FirmwareStep {
        @Override
        public String words() {
            return "the defaults of all settings: from the next start on";
        }
    }

    /** Restarts the adapter; the processes of its host continue. */
    record Start(String adapter, Duration at, Restart how) implements FirmwareStep {
        @Override
        public String words() {
            return how.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + adapter + " under its processes";
        }
    }
}
