// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * Whether short messages and results are written into their completions and copied when those are polled.
 *
 * <p>These are all that there are.
 */
public enum ScatterToCqe {
    /** If the capacity or the environment ({@code MLX5_SCATTER_TO_CQE}) requests it. */
    DEFAULT,

    /** Regardless of the environment, also for results on a queue pair that does not signal all requests. */
    ALLOWED,

    /** Never, regardless of the environment. */
    DISABLED
}
