// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.handle.Handle;

/** A context, as those of its objects know it that have a key. */
public interface KeyOwner {
    /** The way to the adapter. */
    CommandSender<?> door();

    /** Where the verbs of its objects come in. */
    VerbCalls verbs();

    /** Takes a key away; done when nobody uses it and {@code handle} counts as closed. */
    CompletionStage<Void> deregister(Handle handle, int key);
}
