// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.adapter.stage.SubscriberCalls;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.Tap;

/** A program's tap: closing its network in it would wait for it. Two are equal where their taps and networks are. */
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
