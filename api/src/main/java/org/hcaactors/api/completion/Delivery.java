// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/** Thread on which a completion queue delivers completions. These are all that there are. */
public enum Delivery {
    /** The callers' executor; the subscriber or handler may block without stalling the adapter. */
    CALLERS,
    /**
     * The adapter's own thread, that of the queue's shard, about twice as fast. The caller guarantees that neither the
     * subscriber or handler nor any code it calls ever blocks: a blocked one stalls the adapter.
     */
    ADAPTER_THREAD
}
