// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;

/** How a request ended. These are all that there are. */
sealed interface PoolAnswer {
    PoolRequest request();

    /** The adapter completed it. */
    record Completed(PoolRequest request, WorkCompletion completion) implements PoolAnswer {}

    /** Nobody will: it was refused, or its initiator was reset or destroyed by somebody. */
    record Failed(PoolRequest request, Throwable reason) implements PoolAnswer {}

    default boolean isSuccess() {
        return this instanceof Completed done && done.completion().isSuccess();
    }

    /** It failed for no reason of its own. */
    default boolean isFlush() {
        return switch (this) {
            case Completed done -> done.completion().status() == Status.WR_FLUSH_ERR;
            case Failed gone -> true;
        };
    }
}
