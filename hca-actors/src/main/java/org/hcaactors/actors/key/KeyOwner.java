// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.handle.Handle;

/** A context, as used by its objects that have a key. */
public interface KeyOwner {
    /** Returns the command sender of the adapter. */
    CommandSender<?> commandSender();

    /** Returns the verbs of its objects. */
    VerbCalls verbs();

    /** Deregisters a key. Completes when the key is not in use and {@code handle} counts as closed. */
    CompletionStage<Void> deregister(Handle handle, int key);
}
