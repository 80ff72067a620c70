// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.BindWindow;

/** Binds windows of either type: type 1 by the verb, type 2 by a work request. */
public final class Binds {
    private Binds() {}

    /** Binds signaled; the stage gives the completion. */
    public static CompletionStage<WorkCompletion> submit(
            RcQueuePair on, long id, MemoryWindow window, WindowBinding binding) {
        return window.type() == WindowType.TYPE_1
                ? on.submitBind(id, window, binding)
                : on.submit(BindWindow.of(id, window, binding));
    }
}
