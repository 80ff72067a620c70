// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.OptionalInt;

/** What is to be done after the machine was told something. These are all that there are. */
sealed interface TagAct {
    /** The adapter is told. These are all that there are. */
    sealed interface Operation extends TagAct {}

    /** A caller is answered, perhaps after the data were moved. These are all that there are. */
    sealed interface Answer extends TagAct {}

    /** @param handled unexpected messages, if the adapter is to be told */
    record Add(Awaited receive, OptionalInt handled) implements Operation {}

    record Delete(Awaited receive) implements Operation {}

    record Sync(int handled) implements Operation {}

    /** The program copies the data, and the receive has them. */
    record Copy(Surprise message, Awaited receive) implements Answer {}

    /** The program fetches the data, tells their sender, and the receive has them. */
    record Fetch(Surprise message, Awaited receive) implements Answer {}

    /** The message is longer than the buffer, and is lost; its sender is told if it waits. */
    record Truncate(Surprise message, Awaited receive) implements Answer {}

    record Finish(Awaited receive, TagArrival arrival) implements Answer {}

    record Fail(Awaited receive, RuntimeException why) implements Answer {}

    /** @param done false where a message has the receive */
    record Cancelled(Awaited receive, boolean done) implements Answer {}
}
