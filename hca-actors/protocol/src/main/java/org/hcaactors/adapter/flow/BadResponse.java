// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.fabric.packet.Operation;

/** Reasons why a response fails the request that it answers. */
public sealed interface BadResponse extends Reason {
    /** The responder sent a fatal NAK. */
    record PeerRefused(int syndrome) implements BadResponse {}

    /** The response carries data, and the request expects none. */
    record UnwantedData() implements BadResponse {}

    record OtherKind(Operation answer, CompletionKind request) implements BadResponse {}

    /** The response is not the expected part, or has not the expected length. */
    record OtherPart(Operation answer) implements BadResponse {}
}
