// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Requester half of an RC queue pair. It holds the PSN window; the parts that execute requests are created with the first
 * request, since most of many connections are idle.
 */
public final class RcInitiator implements Initiator {
    private final QpParts parts;
    private final PsnWindow window;

    /** {@link Initiator#NONE} until the first request, or until the first unexpected response. */
    private Initiator execution = Initiator.NONE;

    private @Nullable Headers headers;

    RcInitiator(QpParts parts, PsnWindow window) {
        this.parts = parts;
        this.window = window;
    }

    private RcRequestExecution execution() {
        if (execution instanceof RcRequestExecution started) {
            return started;
        }
        RcRequestExecution made = new RcRequestExecution(parts, window);
        if (headers != null) {
            made.connect(headers);
        }
        execution = made;
        return made;
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
        execution.connect(peer);
    }

    @Override
    public Optional<Headers> peer() {
        return Optional.ofNullable(headers);
    }

    @Override
    public void start() {
        window.startAt(parts.settings().sendPsn);
        execution.start();
    }

    @Override
    public void modified() {
        execution.modified();
    }

    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        if (state != QpState.RTS && state != QpState.SQD) {
            return Optional.of(new PacketMismatch.ResponseInState(state));
        }
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public void response(Packet packet, Turn turn) {
        execution().response(packet, turn);
    }

    @Override
    @MutationPoint("rc-initiator.transmit")
    public int transmit(int budget, boolean mayStart, Turn turn) {
        return parts.requests().isEmpty() ? 0 : execution().transmit(budget, mayStart, turn);
    }

    /** Waits and sends again, as after an RNR NAK: the peer can't take requests now. */
    public void backOff(int syndrome, Turn turn) {
        execution().backOff(syndrome, turn);
    }

    /** Sends again what did not arrive through no fault of either side; uses no retry. */
    public void sendAgain(GoBack reason, Turn turn) {
        execution().sendAgain(reason, turn);
    }

    @Override
    public void resume(Turn turn) {
        execution.resume(turn);
    }

    @Override
    public void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        execution.keyChanged(ticket, refusal, turn);
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        execution.pagesServed(kind, ticket, refusal, turn);
    }

    @Override
    public long nextDeadline() {
        return execution.nextDeadline();
    }

    @Override
    public void timeout(Turn turn) {
        execution.timeout(turn);
    }

    @Override
    public SideStatus settle(Turn turn) {
        execution.settle(turn);
        return window.status();
    }

    @Override
    public QpState afterFailure() {
        return QpState.ERR;
    }

    @Override
    public boolean isBusy() {
        return window.ledger().hasOutstanding() || window.awaitsChange();
    }

    @Override
    public int nextPsn() {
        return window.nextPsn();
    }

    @Override
    public boolean isBackingOff() {
        return execution.isBackingOff();
    }

    @Override
    public boolean hasNoTimeout() {
        return parts.settings().timeoutNanos() == 0;
    }

    @Override
    public int packetsHeld() {
        return execution.packetsHeld();
    }

    @Override
    public void quiesce() {
        window.clear();
        execution.quiesce();
    }
}
