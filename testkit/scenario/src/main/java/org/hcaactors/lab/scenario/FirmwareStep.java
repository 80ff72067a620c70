// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.Restart;

/** What somebody does to the firmware of a live adapter. */
public sealed interface FirmwareStep {
    String adapter();

    Duration at();

    /** As a ladder tells it. */
    String words();

    /** From the next start on. */
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

    /** The defaults, from the next start on. */
    record Reset(String adapter, Duration at) implements FirmwareStep {
        @Override
        public String words() {
            return "the defaults of all settings: from the next start on";
        }
    }

    /** The adapter starts anew; its host's processes live on. */
    record Start(String adapter, Duration at, Restart how) implements FirmwareStep {
        @Override
        public String words() {
            return how.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + adapter + " under its processes";
        }
    }
}
