// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import org.hcaactors.api.completion.WorkCompletion;

/** Copies a completion's inline data to the buffers of its receive or request when it is polled, as libmlx5 does. Any thread. */
@FunctionalInterface
public interface InlineCopier {
    /**
     * Copies the data; called once, when the entry is polled.
     *
     * @return the completion for the program: the entry, or one with the error that prevented the copy
     */
    WorkCompletion copy(WorkCompletion entry, InlineData inlineData);
}
