// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.lab.conform.Messages.Message;

/**
 * Run of the requester with one message only, to find out whether it ever sends a captured packet. For packets that the network
 * delayed beyond their time.
 */
final class SingleMessageReplay {
    private final LaterEvidence laterEvidence;
    private final ComparisonLimits effort;
    private final Message message;
    private final StandaloneQueuePair qp;
    private final List<Packet> first;

    SingleMessageReplay(RequesterEnd end, LaterEvidence laterEvidence, Message message, ComparisonLimits effort) {
        this.laterEvidence = laterEvidence;
        this.message = message;
        this.effort = effort;
        qp = end.connected(1, message.firstPsn());
        first = qp.post(PostedWork.of(0, message, new Host(qp, message.lengthBytes(), effort)));
    }

    boolean sends(CapturedPacket captured) {
        if (isAmong(first, captured)) {
            return true;
        }
        return message.family() == Family.READ && deliversUpTo(captured) && isAmong(qp.timeout(), captured);
    }

    private static boolean isAmong(List<Packet> packets, CapturedPacket captured) {
        return packets.stream()
                .anyMatch(packet -> packet.equals(captured.packet().withRoute(packet.route())));
    }

    /**
     * Delivers the responses before the PSN of the packet; where the rest was requested, its first response begins with First
     * again.
     */
    private boolean deliversUpTo(CapturedPacket captured) {
        for (int psn = message.firstPsn(); psn != captured.psn(); psn = Psn.plus(psn, 1)) {
            Optional<CapturedPacket> response = response(psn, captured);
            effort.takes(ComparisonLimits.TURN);
            if (response.isEmpty() || effort.isSpent()) {
                return false;
            }
            if (response.get().operation().starts() && psn != message.firstPsn()) {
                qp.timeout();
            }
            qp.deliver(response.get().packet(), captured.nanos());
        }
        return true;
    }

    private Optional<CapturedPacket> response(int psn, CapturedPacket before) {
        List<CapturedPacket> answers = laterEvidence.answers(psn);
        effort.takes(answers.size());
        return answers.stream()
                .filter(answer -> answer.operation().isReadResponse() && answer.frame() < before.frame())
                .min((one, other) -> Boolean.compare(beginsMessage(one), beginsMessage(other)));
    }

    private boolean beginsMessage(CapturedPacket response) {
        return response.operation().starts() && response.psn() != message.firstPsn();
    }
}
