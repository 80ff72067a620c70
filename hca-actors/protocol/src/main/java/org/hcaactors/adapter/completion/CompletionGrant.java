// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.api.completion.WorkCompletion;

/** Completions granted in one message, oldest first. */
public interface CompletionGrant extends GrantedElements<WorkCompletion> {
    /** Returns the entry as it was in the ring. */
    Cqe at(int index);
}
