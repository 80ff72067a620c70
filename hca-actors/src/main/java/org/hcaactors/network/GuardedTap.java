// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.adapter.stage.SubscriberCalls;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.Tap;

/**
 * Tap of a program. Marks its calls, so that closing the network within one is refused: it would wait for itself. Equal if tap
 * and network are equal.
 */
record GuardedTap(Tap tap, SubscriberCalls calls) implements Tap {
    @Override
    public void on(FabricEvent event) {
        calls.begins();
        try {
            tap.on(event);
        } finally {
            calls.ends();
        }
    }
}
