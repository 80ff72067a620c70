// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;

/** Expected result of a combination. */
sealed interface ExpectedResult {
    /** The request is refused when it is posted, with one of these errnos. */
    record Refused(Set<Errno> errnos) implements ExpectedResult {}

    /** The receive is refused when it is posted, and no request is posted. */
    record ReceiveRefused(Errno errno) implements ExpectedResult {}

    /**
     * Both ends complete.
     *
     * @param near status of the request
     * @param far status of the receive; empty if there is none, or if it stays posted
     * @param carried true if the data must arrive
     */
    record Ends(Status near, Optional<Status> far, boolean carried) implements ExpectedResult {}

    /** Any result under faults: everything must end, and the invariants must hold. */
    record Anything() implements ExpectedResult {}
}
