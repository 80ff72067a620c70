// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A ping-pong game: messages that travel back and forth. */
interface MessageKind {
    /** Returns the players' addresses, one per line, before the game. */
    List<String> addresses();

    /** Returns the number of rounds of all players together. */
    long rounds();

    /** Returns the rounds played so far. */
    long played();

    /** Plays all rounds; the stage fails on a failed completion. */
    CompletionStage<?> play();
}
