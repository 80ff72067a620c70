// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.StageTracking;

/** A handle of an object with an actor; closing the handle destroys the object. */
public interface ActorHandle extends Handle, StageTracking {
    CommandSender<?> commandSender();

    CompletionStage<Void> destroy();

    @Override
    default void track(TrackedStage what, Future<?> stage) {
        commandSender().pending(what, stage);
    }

    @Override
    default void await(CompletionStage<Void> stage) {
        commandSender().await(stage);
    }

    @Override
    default CompletionStage<Void> closeAsync() {
        return destroy();
    }

    @Override
    default void close() {
        commandSender().await(closeAsync());
    }

    @Override
    default String describe() {
        return commandSender().name();
    }
}
