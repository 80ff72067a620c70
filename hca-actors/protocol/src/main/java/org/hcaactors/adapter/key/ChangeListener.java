// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;

/** Listener of a key change. Called once, on the translator's thread; it only sends a message. */
@FunctionalInterface
public interface ChangeListener {
    /** @param refusal why nothing was changed; empty if the change is done, and no lease on the previous state remains */
    void changed(Optional<Denial> refusal);

    /** Event that causes the change; 0 if none. */
    default long cause() {
        return 0;
    }

    /** Returns a listener with the same action, for a change caused by an event. */
    default ChangeListener because(long event) {
        ChangeListener listener = this;
        return new ChangeListener() {
            @Override
            public void changed(Optional<Denial> refusal) {
                listener.changed(refusal);
            }

            @Override
            public long cause() {
                return event;
            }
        };
    }
}
