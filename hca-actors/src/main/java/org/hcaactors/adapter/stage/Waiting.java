// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.books.Books;

/** How a caller waits for a stage, parked or by letting the bench's time pass, and who keeps account of stages. */
@FunctionalInterface
public interface Waiting {
    /** The stage's failure is thrown as it is. */
    void until(CompletionStage<Void> stage);

    /** Told of each stage that is given out, and of what is made and goes. */
    default Books books() {
        return Books.NONE;
    }
}
