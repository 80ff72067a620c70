// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;

/** Result of a request. These are all that there are. */
sealed interface PoolAnswer {
    PoolRequest request();

    /** The adapter completed the request. */
    record Completed(PoolRequest request, WorkCompletion completion) implements PoolAnswer {}

    /** The adapter will not complete the request: it was refused, or other code reset or destroyed its initiator. */
    record Failed(PoolRequest request, Throwable reason) implements PoolAnswer {}

    default boolean isSuccess() {
        return this instanceof Completed done && done.completion().isSuccess();
    }

    /** True if the request did not fail for its own reason. */
    default boolean isFlush() {
        return switch (this) {
            case Completed done -> done.completion().status() == Status.WR_FLUSH_ERR;
            case Failed ignored -> true;
        };
    }
}
