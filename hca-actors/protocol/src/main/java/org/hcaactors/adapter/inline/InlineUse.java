// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

/** Uses of completions that carry data which would otherwise be written to buffers. */
public enum InlineUse {
    /** Messages, in completions of receives. */
    MESSAGES,
    /** Results of READs and atomics, in completions of requests. */
    RESULTS
}
