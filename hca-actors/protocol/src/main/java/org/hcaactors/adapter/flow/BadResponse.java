// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.fabric.packet.Operation;

/** Why an answer fails the request that it is for. */
public sealed interface BadResponse extends Reason {
    /** A NAK for good. */
    record PeerRefused(int syndrome) implements BadResponse {}

    /** Data for a request that awaits none. */
    record UnwantedData() implements BadResponse {}

    record OtherKind(Operation answer, CompletionKind request) implements BadResponse {}

    /** Not the part of the response, or not as many bytes, as was due. */
    record OtherPart(Operation answer) implements BadResponse {}
}
