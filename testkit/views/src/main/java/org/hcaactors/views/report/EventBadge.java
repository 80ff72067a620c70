// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Marks of an event that a report highlights and can search for. */
enum EventBadge {
    /** A failure. */
    BAD,
    COMPLETION,
    FAILED,
    /** A queue pair retransmits. */
    BACK,
    DROPPED,
    CORRUPTED,
    FORGED,
    DELAYED,
    DUPLICATED,
    REORDERED,
    REPLACED,
    NAK,
    RNR,
    CNAK,
    /** A fault of the testkit. */
    BENCH,
    /** An action that a program reported. */
    PROGRAM,
    /** Omitted in the ladder of a long run. */
    DETAIL;

    private int bit() {
        return 1 << ordinal();
    }

    /** Returns the badges of an event as bits, in the order of the constants. */
    static int of(TraceEvent event) {
        return switch (event) {
            case FabricEvent.Sent sent -> ofAnswer(sent.packet());
            case FabricEvent.Delivered delivered -> ofAnswer(delivered.packet());
            case FabricEvent.Dropped dropped -> BAD.bit() | DROPPED.bit();
            case FabricEvent.Corrupted corrupted -> BAD.bit() | CORRUPTED.bit();
            case FabricEvent.Forged forged -> BAD.bit() | FORGED.bit();
            case FabricEvent.Disturbed disturbed ->
                switch (disturbed.how()) {
                    case DELAYED -> DELAYED.bit();
                    case DUPLICATED -> DUPLICATED.bit();
                    case REORDERED -> REORDERED.bit();
                    case REPLACED -> REPLACED.bit();
                };
            case HcaEvent inside -> of(inside);
            case TestkitEvent bench -> of(bench);
            default -> 0;
        };
    }

    private static int of(TestkitEvent bench) {
        if (bench.isOfProgram()) {
            return PROGRAM.bit();
        }
        if (bench.isRefusal()) {
            return BAD.bit() | (bench.isOfVerb() ? BENCH.bit() : 0);
        }
        if (bench.isEnd()) {
            return BAD.bit();
        }
        return BENCH.bit();
    }

    private static int of(HcaEvent event) {
        int detail = Wording.of(event).isEmpty() ? DETAIL.bit() : 0;
        return detail
                | switch (event) {
                    case HcaEvent.Completed done ->
                        COMPLETION.bit() | (done.completion().isSuccess() ? 0 : BAD.bit() | FAILED.bit());
                    case HcaEvent.InlineCopyRefused refused -> COMPLETION.bit() | BAD.bit() | FAILED.bit();
                    case HcaEvent.Failed failed -> BAD.bit();
                    case HcaEvent.Discarded ignored -> Wording.isUnnoticed(ignored) ? BAD.bit() : 0;
                    case HcaEvent.GaveUp gaveUp -> BAD.bit();
                    case HcaEvent.PageFaultFailed failed -> BAD.bit();
                    case HcaEvent.PrefetchFailed failed -> BAD.bit();
                    case HcaEvent.FetchFailed failed -> BAD.bit();
                    case HcaEvent.RequestDropped dropped -> BAD.bit();
                    case HcaEvent.Retransmitting back -> BACK.bit();
                    case HcaEvent.BackedOff wait -> BACK.bit() | RNR.bit();
                    default -> 0;
                };
    }

    private static int ofAnswer(Packet packet) {
        if (packet.operation() != Operation.ACKNOWLEDGE) {
            return 0;
        }
        int syndrome = packet.aeth().syndrome();
        if (syndrome == Syndrome.NAK_CONNECT) {
            return CNAK.bit();
        }
        if (Syndrome.isRnr(syndrome)) {
            return RNR.bit();
        }
        return Syndrome.isNak(syndrome) ? NAK.bit() : 0;
    }
}
