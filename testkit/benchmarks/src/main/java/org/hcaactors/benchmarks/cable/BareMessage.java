// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import org.apache.pekko.actor.typed.ActorRef;

/** Messages between two actors of two nodes, without adapters. */
sealed interface BareMessage {
    /** Tells the receiver where groups are answered. */
    record Hello(ActorRef<BareMessage> replyTo) implements BareMessage {}

    /** @param last true for the last one of a group, which is answered */
    record Bytes(byte[] data, boolean last) implements BareMessage {}

    /** Answers a group. */
    record Done() implements BareMessage {}
}
