// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.mutation.MutationPoint;

// rule post-slot
/** Slots of a send queue whose requests succeeded unsignaled. They are freed with the queue's next completion, on any channel. */
public final class SilentSlots {
    private int count;

    void add() {
        count++;
    }

    /** Takes all of them. */
    @MutationPoint("silent-slots.take")
    int take() {
        int taken = count;
        count = 0;
        return taken;
    }
}
