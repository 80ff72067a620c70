// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Duration;
import org.hcaactors.api.error.AwaitTimeoutException;

/** A stage cannot complete any more, or did not complete in time. The message says what waits. */
public final class WorldStalledException extends AwaitTimeoutException {
    private static final long serialVersionUID = 1L;

    WorldStalledException(String story, Duration waited) {
        super(story, waited);
    }

    /** Returns the same exception with more text, from a caller that knows more about the wait. */
    public WorldStalledException andSays(String more) {
        WorldStalledException exception = new WorldStalledException(getMessage() + more, waited());
        exception.initCause(this);
        return exception;
    }
}
