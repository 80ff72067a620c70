// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;

/** Whoever asked for a change of a key. Called once, on the translator's thread: it only tells. */
@FunctionalInterface
public interface ChangeListener {
    /** @param refusal why nothing was changed; empty when it is done, and nobody has a lease on what was before */
    void changed(Optional<Denial> refusal);

    /** Number of the event from which the change follows; 0 where there is none. */
    default long cause() {
        return 0;
    }

    /** The same for a change that follows from an event. */
    default ChangeListener because(long event) {
        ChangeListener told = this;
        return new ChangeListener() {
            @Override
            public void changed(Optional<Denial> refusal) {
                told.changed(refusal);
            }

            @Override
            public long cause() {
                return event;
            }
        };
    }
}
