// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * Time and causes of an event.
 *
 * @param id unique in its trace, from 1
 * @param nanos on the network's clock
 * @param cause id of the event that caused it; 0 if unknown
 * @param otherCause id of a second cause; 0 if there is none
 */
public record Stamp(long id, long nanos, long cause, long otherCause) {
    public List<Long> causes() {
        List<Long> known = new ArrayList<>(2);
        if (cause != 0) {
            known.add(cause);
        }
        if (otherCause != 0) {
            known.add(otherCause);
        }
        return List.copyOf(known);
    }
}
