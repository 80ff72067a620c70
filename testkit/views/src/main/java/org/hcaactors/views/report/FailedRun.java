// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.rlog.Rlog;

/**
 * A run in which a test failed, up to the failure.
 *
 * @param name name for selection in the report: {@code minimal}
 * @param events events, oldest first
 * @param forgotten number of older events that the recorder no longer held
 * @param broken id of the event that violated an invariant
 */
public record FailedRun(String name, Rlog.Header header, List<TraceEvent> events, long forgotten, OptionalLong broken) {
    public FailedRun {
        events = List.copyOf(events);
    }
}
