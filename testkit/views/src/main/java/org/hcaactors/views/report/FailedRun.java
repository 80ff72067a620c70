// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.rlog.Rlog;

/**
 * A run in which a test failed, as it was when that was noticed.
 *
 * @param name by which it is chosen among others: {@code minimal}
 * @param events oldest first
 * @param forgotten older events, which the recorder no longer held
 * @param broken the event that broke an invariant, by its id
 */
public record FailedRun(String name, Rlog.Header header, List<TraceEvent> events, long forgotten, OptionalLong broken) {
    public FailedRun {
        events = List.copyOf(events);
    }
}
