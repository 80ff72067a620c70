// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.mutation.MutationPoint;

// rule post-slot
/** Slots of a send queue whose requests succeeded unsignaled: they come back with its next completion, of whichever channel. */
public final class SilentSlots {
    private int count;

    void add() {
        count++;
    }

    /** All of them, once. */
    @MutationPoint("silent-slots.take")
    int take() {
        int taken = count;
        count = 0;
        return taken;
    }
}
