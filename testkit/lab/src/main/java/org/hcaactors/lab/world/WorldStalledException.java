// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Duration;
import org.hcaactors.api.error.AwaitTimeoutException;

/** A world waits for something that cannot happen any more, or did not happen in time. The message says who waits. */
public final class WorldStalledException extends AwaitTimeoutException {
    private static final long serialVersionUID = 1L;

    WorldStalledException(String story, Duration waited) {
        super(story, waited);
    }

    /** The same with one more thing to say, by who knows more of what waits. */
    public WorldStalledException andSays(String more) {
        WorldStalledException told = new WorldStalledException(getMessage() + more, waited());
        told.initCause(this);
        return told;
    }
}
