package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletionStage;

/** How a caller waits for a stage: parked, or by letting the bench's time pass. */
@FunctionalInterface
public interface Waiting {
    /** The stage's failure is thrown as it is. */
    void until(CompletionStage<Void> stage);
}
