// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/**
 * An invariant that does not hold.
 *
 * @param invariant its name
 * @param story who did what, and what was allowed
 * @param eventId the event that broke it; 0 if it was found at rest
 * @param nanos virtual time
 */
public record Violation(String invariant, String story, long eventId, long nanos) {
    @Override
    public String toString() {
        return "invariant " + invariant + " is broken at " + nanos + " ns" + (eventId == 0 ? "" : ", event " + eventId)
                + ": " + story;
    }
}
