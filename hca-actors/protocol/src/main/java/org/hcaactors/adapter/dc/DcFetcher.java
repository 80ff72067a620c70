// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.rc.RcInitiator;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

// rule rendezvous-dc
/**
 * Initiator of a tag-matching queue, which fetches data. It has no owner to restart it, so it continues after a failure.
 * Requests to the failed target are flushed; requests to other targets continue.
 */
final class DcFetcher implements RcDelegating {
    private final DcRequester requester;
    private final SendLedger ledger;

    DcFetcher(QpParts parts) {
        requester = new DcRequester(parts, 0);
        ledger = parts.requests();
    }

    @Override
    @MutationPoint("dc-fetcher.settle")
    public SideStatus settle(Turn turn) {
        if (requester.settle(turn) == SideStatus.FAILED) {
            Destination.Dynamic lost = ledger.failed().toTarget();
            ledger.flush(
                    (posted, started) -> posted.toTarget().isSame(lost) && !mustStillBeSent(posted, started), turn);
            requester.continueAfterFailure();
        }
        return SideStatus.RUNNING;
    }

    // rule rendezvous-finish
    /** True for a message to a sender whose data has been fetched: it must still be sent, but not twice. */
    private boolean mustStillBeSent(PostedRequest posted, boolean started) {
        return posted.kind() == CompletionKind.SEND && (!started || wasRefused());
    }

    /** True if the target refused a request, since it then executes nothing behind it. */
    private boolean wasRefused() {
        return switch (ledger.failedWith()) {
            case REM_ACCESS_ERR, REM_INV_REQ_ERR, REM_OP_ERR -> true;
            default -> false;
        };
    }

    @Override
    public RcInitiator rc() {
        return requester.rc();
    }

    @Override
    public void start() {
        requester.start();
    }

    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        return requester.refusal(packet, state);
    }

    @Override
    public void response(Packet packet, Turn turn) {
        requester.response(packet, turn);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        return requester.transmit(budget, mayStart, turn);
    }

    @Override
    public long nextDeadline() {
        return requester.nextDeadline();
    }

    @Override
    public void timeout(Turn turn) {
        requester.timeout(turn);
    }

    @Override
    public boolean isBackingOff() {
        return requester.isBackingOff();
    }

    @Override
    public void quiesce() {
        requester.quiesce();
    }
}
