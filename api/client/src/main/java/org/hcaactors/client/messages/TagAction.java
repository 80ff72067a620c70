// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.OptionalInt;

/** Actions that follow from one input of the machine. These are all that there are. */
sealed interface TagAction {
    /** An operation on the adapter's tag list. These are all that there are. */
    sealed interface Operation extends TagAction {}

    /** An answer for a caller, possibly after moving data. These are all that there are. */
    sealed interface Answer extends TagAction {}

    /** @param handled number of handled unexpected messages, if it must be reported to the adapter */
    record Add(PendingReceive receive, OptionalInt handled) implements Operation {}

    record Delete(PendingReceive receive) implements Operation {}

    record Sync(int handled) implements Operation {}

    /** The program copies the data to the receive's buffer. */
    record Copy(UnexpectedMessage message, PendingReceive receive) implements Answer {}

    /** The program fetches the data to the receive's buffer and notifies the sender. */
    record Fetch(UnexpectedMessage message, PendingReceive receive) implements Answer {}

    /** The message is longer than the buffer and is lost; the sender is notified if it waits. */
    record Truncate(UnexpectedMessage message, PendingReceive receive) implements Answer {}

    record Finish(PendingReceive receive, TagArrival arrival) implements Answer {}

    record Fail(PendingReceive receive, RuntimeException reason) implements Answer {}

    /** @param done false if a message has taken the receive */
    record Cancelled(PendingReceive receive, boolean done) implements Answer {}
}
