// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * A recorded run.
 *
 * @param header what it is a record of
 * @param events oldest first
 * @param unknown texts that were skipped: this version does not know their type, or the kind of a part of them
 * @param trailer absent where the writer did not come to its end
 */
public record Rlog(Header header, List<TraceEvent> events, int unknown, Optional<Trailer> trailer) {
    /** What the first text of a file says it is. A file that says anything else is refused. */
    public static final String SCHEMA = "urn:hca-actors:rlog:2";

    public Rlog {
        events = List.copyOf(events);
    }

    /**
     * The first text.
     *
     * @param title for people
     * @param seed of the world; empty on a real clock
     * @param faults the fault plan in HOCON; empty if there was none, or if it holds code of the user's
     */
    public record Header(String title, OptionalLong seed, String faults) {
        public static Header of(String title) {
            return new Header(title, OptionalLong.empty(), "");
        }
    }

    /**
     * The last text.
     *
     * @param events texts between header and trailer
     * @param forgotten events that the recorder no longer held
     */
    public record Trailer(long events, long forgotten) {}
}
