// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.List;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultKind;

/**
 * A fault that a test itself armed in one of its runs.
 *
 * @param names adapters and processes, and conditions on packets
 * @param which its index among equal ones of its run, from 1
 * @param unstruck its description if it struck nothing
 */
public record OwnFault(FaultKind kind, List<String> names, int which, Optional<String> unstruck) {
    public OwnFault {
        names = List.copyOf(names);
    }

    /** Returns the properties by which faults of different runs are matched. */
    OwnFault likeness() {
        return new OwnFault(kind, names, which, Optional.empty());
    }
}
