// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * A recorded run.
 *
 * @param header description of the run
 * @param events events, oldest first
 * @param unknown number of texts that were skipped because this version does not know their type, or a part of them
 * @param trailer empty if the writer did not finish
 */
public record Rlog(Header header, List<TraceEvent> events, int unknown, Optional<Trailer> trailer) {
    /** Schema in the first text of a file. Any other is refused. */
    public static final String SCHEMA = "urn:hca-actors:rlog:2";

    public Rlog {
        events = List.copyOf(events);
    }

    /**
     * The first text.
     *
     * @param title a readable title
     * @param seed seed of the world; empty on a real clock
     * @param faults the fault plan in HOCON; empty if there was none, or if it contains user code
     */
    public record Header(String title, OptionalLong seed, String faults) {
        public static Header of(String title) {
            return new Header(title, OptionalLong.empty(), "");
        }
    }

    /**
     * The last text.
     *
     * @param events number of texts between header and trailer
     * @param forgotten number of events that the recorder no longer held
     */
    public record Trailer(long events, long forgotten) {}
}
