// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.tests.recorded.RecordedMessages.Message;
import org.junit.jupiter.api.Test;

/** Recorded ends of a connection without acknowledgements. */
class UnreliableConnectionTest {
    private static final int INBOX = 1 << 14;
    private static final int INBOX_BYTES = 4096;

    private static UcQueuePair connect(RecordedWorld side, RecordedQueuePair ends) {
        UcQueuePair qp =
                side.world.await(side.domain.createQp(QpDescription.uc().withRecvCq(side.received)));
        UcConnection terms = UcConnection.DEFAULT.withSendPsn(ends.firstPsn()).withReceivePsn(ends.peerFirstPsn());
        side.world.await(qp.connect(Gid.of(side.peer.address()), ends.peerNumber(), terms));
        side.peer.exchange(ends, qp.number());
        return qp;
    }

    @Test
    void whatARecordedClientSendsAndWritesArrives() {
        RecordedCable cable = RecordedWorld.capture("op_uc_ops.pcap", RecordedWorld.CLIENT);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            RecordedQueuePair ends = cable.queuePairs().getFirst();
            UcQueuePair qp = connect(side, ends);
            RecordedMemory memory = ends.memory().getFirst();
            side.peer.translate(memory, side.region.rkey(), side.region.address());
            List<Message> messages = new RecordedMessages(cable.recording(), ends, true).all();
            for (Message message : messages) {
                if (message.takesReceive()) {
                    qp.postReceive(Receive.of(1, side.region.slice(INBOX, INBOX_BYTES)));
                }
            }
            side.peer.start();
            side.complete();
            for (Message message : messages) {
                if (message.takesReceive()) {
                    assertThat(side.next().status()).isEqualTo(Status.SUCCESS);
                }
                if (message.first().operation().isWrite()) {
                    long place = message.first().reth().address() - memory.address();
                    assertThat(side.memory.read(place, message.bytes().length)).isEqualTo(message.bytes());
                }
            }
        }
    }

    @Test
    void aRecordedServerTakesWhatItsClientSends() {
        RecordedCable cable = RecordedWorld.capture("op_uc_ops.pcap", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            RecordedQueuePair ends = cable.queuePairs().getFirst();
            UcQueuePair qp = connect(side, ends);
            for (Message message : new RecordedMessages(cable.recording(), ends, false).all()) {
                int bytes = message.bytes().length;
                if (message.first().operation().isSend()) {
                    Send send = Send.of(1, side.region.slice(0, bytes));
                    send = message.last().bth().solicited() ? send.withSolicited() : send;
                    qp.post(
                            message.last().operation().carriesImmediate()
                                    ? send.withImmediate(
                                            message.last().immediate().value())
                                    : send);
                } else {
                    RdmaWrite write = RdmaWrite.of(
                            2,
                            side.region.slice(0, bytes),
                            new RemoteAddress(
                                    message.first().reth().rkey(),
                                    message.first().reth().address()));
                    qp.post(
                            message.last().operation().carriesImmediate()
                                    ? write.withImmediate(
                                            message.last().immediate().value())
                                    : write);
                }
            }
            side.world.runFor(Duration.ofMillis(1));
            assertThat(side.complete().counts().taken())
                    .isEqualTo(cable.recording().packets().size());
        }
    }
}
