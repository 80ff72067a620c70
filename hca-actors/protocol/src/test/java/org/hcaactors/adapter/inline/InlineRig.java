// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpType;

/** Two machines with inline data in their completions. */
final class InlineRig {
    private InlineRig() {}

    private static Side side(
            String name, int number, int host, boolean shared, boolean signalAll, QpCapacity capacity) {
        return new Side(name, number, host, QpType.RC, shared, Profile.CONNECTX_5, signalAll, capacity);
    }

    /**
     * Creates a reliable connection.
     *
     * @param receive maximum inline length of messages
     * @param result maximum inline length of results
     */
    static Rig rc(int receive, int result, boolean shared, boolean signalAll) {
        QpCapacity capacity =
                QpCapacity.DEFAULT.withMaxInlineReceiveBytes(receive).withMaxInlineResultBytes(result);
        Rig rig = new Rig(
                side("a", 0x11, 1, false, signalAll, capacity), side("b", 0x22, 2, shared, signalAll, capacity));
        rig.reconnect(rig.a);
        rig.reconnect(rig.b);
        return rig;
    }
}
