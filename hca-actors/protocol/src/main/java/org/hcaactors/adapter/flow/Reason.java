// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/**
 * The reason for an event inside an adapter, as a value that checks and explanations compare. The text for people is in
 * {@link ReasonTexts} alone.
 */
public sealed interface Reason
        permits BadResponse,
                BadCommand,
                BadRequest,
                DependencyFailure,
                RetriesExhausted,
                GoBack,
                Ignored,
                KeyDenied,
                NoPages,
                NoReceive,
                NoSession,
                EventDetail,
                PageAbsent,
                Reason.Unknown,
                RequestRefused,
                StateReason,
                PacketMismatch,
                InlineCopyFailed {
    /**
     * A reason unknown to this version, as a recorded run of another version may contain.
     *
     * @param text its text
     */
    record Unknown(String text) implements Reason {}
}
