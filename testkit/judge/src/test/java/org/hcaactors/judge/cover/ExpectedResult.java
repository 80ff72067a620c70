// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;

/** What becomes of a combination. */
sealed interface ExpectedResult {
    /** The request is refused when it is posted; where there are several reasons, by any of them. */
    record Refused(Set<Errno> errnos) implements ExpectedResult {}

    /** The receive is refused when it is posted, and nobody asks. */
    record ReceiveRefused(Errno errno) implements ExpectedResult {}

    /**
     * @param near of the request
     * @param far of the receive; empty where there is none, or where it stays
     * @param carried the data come where they are for
     */
    record Ends(Status near, Optional<Status> far, boolean carried) implements ExpectedResult {}

    /** Whatever the weather makes of it: that everything ends, and that the invariants hold, is all that is asked. */
    record Anything() implements ExpectedResult {}
}
