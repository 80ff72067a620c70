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
 * What asks over DC for a tag-matching queue: nobody would bring it up again, so it goes on behind what fails. What it has asked that
 * target for fails with it; what it is to ask others for is not theirs to suffer.
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
            ledger.flush((posted, started) -> posted.toTarget().isSame(lost) && !isToBeTold(posted, started), turn);
            requester.goOn();
        }
        return SideStatus.RUNNING;
    }

    // rule rendezvous-finish
    /** Data that were fetched are not lost with others: their sender is still to be told, but not twice. */
    private boolean isToBeTold(PostedRequest posted, boolean started) {
        return posted.kind() == CompletionKind.SEND && (!started || wasRefused());
    }

    /** The target carries out nothing of what stood behind it. */
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
