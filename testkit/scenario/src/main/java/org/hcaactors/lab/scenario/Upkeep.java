// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.Restart;

/** What somebody does to the firmware of a live adapter. */
public sealed interface Upkeep {
    String adapter();

    Duration at();

    /** As a ladder tells it. */
    String words();

    /** From the next start on. */
    record Set(String adapter, Duration at, List<FirmwareAssignment> wanted) implements Upkeep {
        public Set {
            wanted = List.copyOf(wanted);
        }

        @Override
        public String words() {
            return wanted.stream()
                    .map(each ->
                            each.parameter() + "=" + each.parameter().type().show(each.value()))
                    .collect(Collectors.joining(", ", "set ", ": from the next start on"));
        }
    }

    /** The defaults, from the next start on. */
    record Reset(String adapter, Duration at) implements Upkeep {
        @Override
        public String words() {
            return "the defaults of all settings: from the next start on";
        }
    }

    /** The adapter starts anew; its host's processes live on. */
    record Start(String adapter, Duration at, Restart how) implements Upkeep {
        @Override
        public String words() {
            return how.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + adapter + " under its processes";
        }
    }
}
