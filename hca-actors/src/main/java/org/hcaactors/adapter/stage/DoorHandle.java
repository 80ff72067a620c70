// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/** A handle with an actor behind a door: closing it is destroying what is there. */
public interface DoorHandle extends Handle {
    Door<?> door();

    CompletionStage<Void> destroy();

    @Override
    default CompletionStage<Void> closeAsync() {
        return destroy();
    }

    @Override
    default void close() {
        door().await(closeAsync());
    }

    @Override
    default String describe() {
        return door().name();
    }
}
