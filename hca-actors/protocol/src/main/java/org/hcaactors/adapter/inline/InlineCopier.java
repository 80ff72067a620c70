// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import org.hcaactors.api.completion.WorkCompletion;

/** Copies what completions carry into the buffers of their queue pair, as the library does that polls. Any thread. */
@FunctionalInterface
public interface InlineCopier {
    /**
     * To be called once, when the entry is polled.
     *
     * @return what the program gets: the entry, or one that says what kept its bytes from being copied
     */
    WorkCompletion land(WorkCompletion entry, InlineData inlineData);
}
