// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * Whether short messages and results travel in their completions, to be copied when those are polled.
 *
 * <p>These are all that there are.
 */
public enum ScatterToCqe {
    /** Where the capacity asks for it, or the environment does ({@code MLX5_SCATTER_TO_CQE}). */
    DEFAULT,

    /** Whatever the environment says, also for results on a queue pair that does not signal all of its requests. */
    ALLOWED,

    /** Not, whatever the environment says. */
    DISABLED
}
