// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.adapter.stream.Receipt;
import org.hcaactors.api.completion.WorkCompletion;

/** Entries granted to a subscriber in one message, oldest first. The subscriber's thread sees it too: it never changes. */
interface Grant extends Receipt<WorkCompletion> {
    WorkCompletion[] entries();

    /** An entry as it stood in the ring. */
    Cqe at(int index);
}
