// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** What is played with a message that goes to and fro. */
interface MessageKind {
    /** Who plays, a line each, before anything is played. */
    List<String> addresses();

    /** Of all players together. */
    long rounds();

    /** Rounds so far. */
    long played();

    /** Done when all rounds were played; failed on a bad completion. */
    CompletionStage<?> play();
}
