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
 * The asking half of a reliable connection: its numbering, and, from the first request on, what carries requests out. Most of many
 * connections stand idle.
 */
public final class RcInitiator implements Initiator {
    private final QpParts parts;
    private final PsnWindow window;

    /** Nobody before the first request, or before somebody answers what was never asked. */
    private Initiator asking = Initiator.NONE;

    private @Nullable Headers headers;

    RcInitiator(QpParts parts, PsnWindow window) {
        this.parts = parts;
        this.window = window;
    }

    private RcRequestExecution asking() {
        if (asking instanceof RcRequestExecution there) {
            return there;
        }
        RcRequestExecution made = new RcRequestExecution(parts, window);
        if (headers != null) {
            made.connect(headers);
        }
        asking = made;
        return made;
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
        asking.connect(peer);
    }

    @Override
    public void start() {
        window.startAt(parts.settings().sendPsn);
        asking.start();
    }

    @Override
    public void modified() {
        asking.modified();
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
        asking().response(packet, turn);
    }

    @Override
    @MutationPoint("rc-initiator.transmit")
    public int transmit(int budget, boolean mayStart, Turn turn) {
        return parts.requests().isEmpty() ? 0 : asking().transmit(budget, mayStart, turn);
    }

    /** Its peer is not there to be asked: it waits, and sends again, as when a receiver is not ready. */
    public void backOff(int syndrome, Turn turn) {
        asking().backOff(syndrome, turn);
    }

    /** What was sent went nowhere, and nobody is to blame: it is sent again, which costs no retry. */
    public void sendAgain(GoBack reason, Turn turn) {
        asking().sendAgain(reason, turn);
    }

    @Override
    public void resume(Turn turn) {
        asking.resume(turn);
    }

    @Override
    public void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        asking.keyChanged(ticket, refusal, turn);
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        asking.pagesServed(kind, ticket, refusal, turn);
    }

    @Override
    public long nextDeadline() {
        return asking.nextDeadline();
    }

    @Override
    public void timeout(Turn turn) {
        asking.timeout(turn);
    }

    @Override
    public SideStatus settle(Turn turn) {
        asking.settle(turn);
        return window.standing();
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
        return asking.isBackingOff();
    }

    @Override
    public boolean hasNoTimeout() {
        return parts.settings().timeoutNanos() == 0;
    }

    @Override
    public int packetsHeld() {
        return asking.packetsHeld();
    }

    @Override
    public void quiesce() {
        window.clear();
        asking.quiesce();
    }
}
