// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

/**
 * A violation of an invariant.
 *
 * @param invariant name of the invariant
 * @param story one line that names the object, what happened and what was allowed
 * @param eventId the event that violated it; 0 if no event did
 * @param nanos virtual time
 */
public record Violation(String invariant, String story, long eventId, long nanos) {
    @Override
    public String toString() {
        return "invariant " + invariant + " is broken at " + nanos + " ns" + (eventId == 0 ? "" : ", event " + eventId)
                + ": " + story;
    }
}
