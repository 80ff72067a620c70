// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Responder half of an RC queue pair. It holds the request sequence; the parts that execute requests are created with the first
 * request, since most of many connections are idle.
 */
final class RcResponder implements Target {
    private final QpParts parts;
    private final RequestSequence sequence = new RequestSequence();

    /** {@link Target#NONE} until the first request. */
    private Target execution = Target.NONE;

    private @Nullable Headers headers;

    RcResponder(QpParts parts) {
        this.parts = parts;
    }

    private RcResponseExecution execution() {
        if (execution instanceof RcResponseExecution started) {
            return started;
        }
        RcResponseExecution made = new RcResponseExecution(parts, sequence);
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
        sequence.startAt(parts.settings().receivePsn);
    }

    @Override
    public void quiesce() {
        sequence.clear();
        execution.quiesce();
    }

    @Override
    public boolean isInsideOfMessage() {
        return sequence.message() != IncomingMessage.NONE;
    }

    @Override
    public boolean rnrSent() {
        return sequence.rnrNakSent();
    }

    @Override
    public int expectedPsn() {
        return sequence.expectedPsn();
    }

    @Override
    public Optional<Reason> refusal(Packet packet, Turn turn) {
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public SideStatus settle(Turn turn) {
        return execution.settle(turn);
    }

    @Override
    public void failReceive(Turn turn) {
        execution.failReceive(turn);
    }

    @Override
    public int transmit(int budget, Turn turn) {
        return execution.transmit(budget, turn);
    }

    @Override
    public int pendingResponses() {
        return execution.pendingResponses();
    }

    @Override
    public int packetsHeld() {
        return execution.packetsHeld();
    }

    @Override
    public void request(Packet packet, Turn turn) {
        execution().request(packet, turn);
    }

    /** A request that is refused for good is never behind the expected PSN. */
    @Override
    public boolean isDoneWith(Packet request) {
        return request.lastPsn() == sequence.newestPsn();
    }

    @Override
    public void resume(Turn turn) {
        execution.resume(turn);
    }

    @Override
    public void invalidated(long ticket, Optional<Denial> refusal, Turn turn) {
        execution.invalidated(ticket, refusal, turn);
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        execution.pagesServed(kind, ticket, refusal, turn);
    }
}
