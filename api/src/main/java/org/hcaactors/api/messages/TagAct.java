// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.messages;

import java.util.OptionalInt;

/** What is to be done after the machine was told something. These are all that there are. */
sealed interface TagAct {
    /** @param handled unexpected messages, if the adapter is to be told */
    record Add(Awaited receive, OptionalInt handled) implements TagAct {}

    record Delete(Awaited receive) implements TagAct {}

    record Sync(int handled) implements TagAct {}

    /** The program copies the data, and the receive has them. */
    record Copy(Surprise message, Awaited receive) implements TagAct {}

    /** The program fetches the data, tells their sender, and the receive has them. */
    record Fetch(Surprise message, Awaited receive) implements TagAct {}

    /** The message is longer than the buffer, and is lost; its sender is told if it waits. */
    record Truncate(Surprise message, Awaited receive) implements TagAct {}

    record Finish(Awaited receive, TagArrival arrival) implements TagAct {}

    record Fail(Awaited receive, RuntimeException why) implements TagAct {}

    /** @param done false where a message has the receive */
    record Cancelled(Awaited receive, boolean done) implements TagAct {}
}
