// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.OptionalInt;

/** What is to be done after the machine was told something. These are all that there are. */
sealed interface TagAction {
    /** The adapter is told. These are all that there are. */
    sealed interface Operation extends TagAction {}

    /** A caller is answered, perhaps after the data were moved. These are all that there are. */
    sealed interface Answer extends TagAction {}

    /** @param handled unexpected messages, if the adapter is to be told */
    record Add(PendingReceive receive, OptionalInt handled) implements Operation {}

    record Delete(PendingReceive receive) implements Operation {}

    record Sync(int handled) implements Operation {}

    /** The program copies the data, and the receive has them. */
    record Copy(UnexpectedMessage message, PendingReceive receive) implements Answer {}

    /** The program fetches the data, tells their sender, and the receive has them. */
    record Fetch(UnexpectedMessage message, PendingReceive receive) implements Answer {}

    /** The message is longer than the buffer, and is lost; its sender is told if it waits. */
    record Truncate(UnexpectedMessage message, PendingReceive receive) implements Answer {}

    record Finish(PendingReceive receive, TagArrival arrival) implements Answer {}

    record Fail(PendingReceive receive, RuntimeException reason) implements Answer {}

    /** @param done false where a message has the receive */
    record Cancelled(PendingReceive receive, boolean done) implements Answer {}
}
