// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.api.completion.WorkCompletion;

/** Entries granted in one message, oldest first. */
public interface CompletionGrant extends GrantedElements<WorkCompletion> {
    /** An entry as it stood in the ring. */
    Cqe at(int index);
}
