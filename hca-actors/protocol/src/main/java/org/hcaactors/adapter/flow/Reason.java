// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/**
 * Why something happened inside an adapter, as a value: whoever judges or explains a trace compares these. The words for
 * people stand in {@link ReasonTexts}, and there alone.
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
     * One that this version has no name for, as a recorded run of another version may hold.
     *
     * @param text all that is known of it
     */
    record Unknown(String text) implements Reason {}
}
