// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended reliable connected transport (the page xrc of the rule book). */
class XrcTest {
    private static final int QUEUE = 5;
    private static final int OTHER = 6;
    private static final int DOMAIN = 10;
    private static final int OTHER_DOMAIN = 11;
    /** Keys of each protection domain, for the whole memory. */
    private static final int KEY = 0xA00_00;

    private static final int OTHER_KEY = 0xB00_00;
    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withMtu(PathMtu.BYTES_256).withSendPsn(100).withReceivePsn(500);

    private final Side asks = new Side("a", 0x11, 1, QpType.XRC_INI, false, Profile.CONNECTX_5, true);
    private final Side asked = new Side("b", 0x22, 2, QpType.XRC_TGT, false, Profile.CONNECTX_5, false);
    private final Rig rig = new Rig(asks, asked);

    @BeforeEach
    void connect() {
        asked.offers(QUEUE, DOMAIN);
        asked.offers(OTHER, OTHER_DOMAIN);
        asked.grant(KEY, DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        asked.grant(OTHER_KEY, OTHER_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        asks.machine.modify(TERMS.toInit(), asks.turn);
        asks.machine.modify(TERMS.toRtrAsRequester(gid(asked), asked.number), asks.turn);
        asks.machine.modify(TERMS.toRts(), asks.turn);
        asked.machine.modify(TERMS.reversed().toInit(), asked.turn);
        asked.machine.modify(TERMS.reversed().toRtr(gid(asks), asks.number), asked.turn);
    }

    private static Gid gid(Side side) {
        return new Gid(side.port.high(), side.port.low());
    }

    /** Returns the packet encoded and decoded again. */
    private static Packet again(Packet packet) {
        Decoded decoded = FrameDecoder.decode(FrameEncoder.encode(packet), LinkLayer.ETHERNET);
        assertThat(decoded).isInstanceOf(Decoded.Frame.class);
        Packet read = ((Decoded.Frame) decoded).frame().packet();
        return new Packet(packet.route(), read.bth(), read.extended(), read.payload());
    }

    private void post(int queue, RcWork work) {
        asks.post(work, Destination.Named.sharedReceives(queue));
    }

    private void offer(int queue, int key, int... ids) {
        for (int id : ids) {
            Objects.requireNonNull(asked.sources.named.get(queue))
                    .add(Receive.of(id, asked.slice(key, id * 1024L, 1024)));
        }
    }

    private RemoteAddress at(int key, long offset) {
        return new RemoteAddress(key, asked.memory.address() + offset);
    }

    private List<Long> completed(int queue) {
        return Objects.requireNonNull(asked.sources.namedCompletions.get(queue)).stream()
                .map(WorkCompletion::workId)
                .toList();
    }

    // rules xrc-one-way, xrc-named
    @Test
    void aMessageTakesAReceiveOfTheQueueThatItNames() {
        offer(QUEUE, KEY, 1);
        offer(OTHER, OTHER_KEY, 2);
        rig.fill(asks, 0, 700, 3);
        post(OTHER, Send.of(7, asks.slice(0, 700)));
        post(QUEUE, Send.of(8, asks.slice(0, 10)).withImmediate(4));
        rig.run();
        assertThat(completed(QUEUE)).containsExactly(1L);
        assertThat(completed(OTHER)).containsExactly(2L);
        assertThat(Objects.requireNonNull(asked.sources.namedCompletions.get(OTHER))
                        .getFirst()
                        .qpNumber())
                .isEqualTo(asked.number);
        assertThat(asked.memory.read(2048, 700)).isEqualTo(asks.memory.read(0, 700));
        assertThat(asks.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(asked.machine.state()).as("it answers from RTR on").isEqualTo(QpState.RTR);
    }

    // rule xrc-named
    @Test
    void eachRequestPacketNamesTheQueueAndNoAnswerDoes() {
        offer(QUEUE, KEY, 1);
        post(QUEUE, Send.of(1, asks.slice(0, 700)));
        post(QUEUE, RdmaRead.of(2, asks.slice(0, 600), at(KEY, 0)));
        post(QUEUE, FetchAdd.of(3, asks.slice(0, 8), at(KEY, 64), 5));
        rig.run();
        for (Packet packet : rig.wire) {
            boolean names = packet.opcode().extended().stream().anyMatch(kind -> kind == HeaderKind.XRC_ETH);
            assertThat(names)
                    .as("%s", packet.opcode())
                    .isEqualTo(!packet.operation().isResponse());
            assertThat(packet.opcode().transport()).isEqualTo(TransportClass.XRC);
            if (names) {
                assertThat(packet.xrcEth().srqNumber()).isEqualTo(QUEUE);
            }
            assertThat(again(packet)).isEqualTo(packet);
        }
        assertThat(rig.opcodes())
                .contains(Opcode.XRC_SEND_FIRST, Opcode.XRC_SEND_MIDDLE, Opcode.XRC_SEND_LAST, Opcode.XRC_READ_REQUEST);
    }

    // rule xrc-domain
    @Test
    void writesReadsAndAtomicsUseTheDomainOfTheNamedQueue() {
        rig.fill(asks, 0, 500, 9);
        post(QUEUE, RdmaWrite.of(1, asks.slice(0, 500), at(KEY, 4096)));
        post(OTHER, RdmaRead.of(2, asks.slice(1024, 500), at(OTHER_KEY, 4096)));
        post(OTHER, FetchAdd.of(3, asks.slice(2048, 8), at(OTHER_KEY, 8192), 5));
        rig.run();
        assertThat(asks.sendStatuses()).containsOnly(Status.SUCCESS).hasSize(3);
        assertThat(asks.memory.read(1024, 500)).isEqualTo(asks.memory.read(0, 500));
        assertThat(asked.memory.readLong(8192)).isEqualTo(5);
    }

    // rule xrc-domain
    @Test
    void aKeyOfAnotherDomainThanThatOfTheQueueIsRefused() {
        post(QUEUE, RdmaWrite.of(1, asks.slice(0, 50), at(OTHER_KEY, 4096)));
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(asked.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule xrc-domain
    @Test
    void aReceiveOfAnotherDomainIsARemoteOperationError() {
        offer(QUEUE, OTHER_KEY, 1);
        post(QUEUE, Send.of(1, asks.slice(0, 50)));
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.REM_OP_ERR);
        assertThat(asked.sources.namedCompletions.get(QUEUE))
                .extracting(WorkCompletion::status)
                .containsExactly(Status.LOC_PROT_ERR);
    }

    // rules xrc-domain, window-remote-invalidate
    @Test
    void aKeyIsInvalidatedInTheDomainOfTheNamedQueue() {
        offer(OTHER, OTHER_KEY, 1);
        post(OTHER, Send.of(1, asks.slice(0, 10)).withInvalidate(OTHER_KEY));
        rig.run();
        assertThat(asked.invalidatedBy).containsExactly(new KeyUser(OTHER_DOMAIN, asked.number));
    }

    // rule xrc-unknown
    @Test
    void anUnknownSrqIsAnInvalidRequestAlsoForAWrite() {
        post(99, RdmaWrite.of(1, asks.slice(0, 50), at(KEY, 4096)));
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
        assertThat(asked.machine.state()).isEqualTo(QpState.ERR);
        assertThat(asked.events).contains(AsyncEvent.Kind.QP_ACCESS_ERR);
        assertThat(asked.failures).containsExactly("its XRC domain has no shared receive queue 99");
    }

    // rule xrc-one-queue
    @Test
    void aMessageThatChangesItsSrqIsAnInvalidRequest() {
        offer(QUEUE, KEY, 1);
        post(QUEUE, Send.of(1, asks.slice(0, 700)));
        rig.lets = (side, packet) -> {
            boolean middle = packet.opcode() == Opcode.XRC_SEND_MIDDLE;
            if (middle) {
                List<ExtendedHeader> other = List.of(new ExtendedHeader.XrcEth(0, OTHER));
                asked.machine.receive(new Packet(packet.route(), packet.bth(), other, packet.payload()), asked.turn);
            }
            return !middle;
        };
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
        assertThat(asked.failures).containsExactly("a message for shared receive queue 5 continues for 6");
        assertThat(asked.sources.namedCompletions.get(QUEUE))
                .extracting(WorkCompletion::status)
                .containsExactly(Status.REM_INV_REQ_ERR);
    }

    // rule xrc-rnr
    @Test
    void anEmptySrqDelaysMessagesForOtherSrqs() {
        offer(OTHER, OTHER_KEY, 2);
        post(QUEUE, Send.of(1, asks.slice(0, 50)));
        post(OTHER, Send.of(2, asks.slice(0, 50)));
        rig.run();
        assertThat(asks.waits).hasSize(1);
        assertThat(asked.sources.namedCompletions.get(OTHER)).isEmpty();
        offer(QUEUE, KEY, 1);
        rig.runToQuiet();
        assertThat(completed(QUEUE)).containsExactly(1L);
        assertThat(completed(OTHER)).containsExactly(2L);
    }

    // rule xrc-queue-gone
    @Test
    void aDestroyedQueueIsUnknownFromThenOn() {
        offer(QUEUE, KEY, 1);
        post(QUEUE, Send.of(1, asks.slice(0, 50)));
        rig.run();
        asked.sources.namedDomains.remove(QUEUE);
        asked.machine.srqDestroyed(QUEUE, asked.turn);
        post(OTHER, RdmaWrite.of(2, asks.slice(0, 50), at(OTHER_KEY, 0)));
        post(QUEUE, Send.of(3, asks.slice(0, 50)));
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS, Status.REM_INV_REQ_ERR);
    }

    // rule xrc-queue-fails
    @Test
    void aQueueInErrorIsARemoteOperationErrorOnlyWhenNamed() {
        offer(QUEUE, KEY, 1);
        post(QUEUE, Send.of(1, asks.slice(0, 50)));
        rig.run();
        asked.machine.sharedReceivesFailed(QUEUE, asked.turn);
        post(OTHER, RdmaWrite.of(2, asks.slice(0, 50), at(OTHER_KEY, 0)));
        post(QUEUE, Send.of(3, asks.slice(0, 50)));
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS, Status.REM_OP_ERR);
    }

    // rule xrc-queues-bounded
    @Test
    void theLeastRecentlyNamedQueueIsForgottenAndFoundAgain() {
        int queues = XrcReceives.CAPACITY + 1;
        IntStream.range(100, 100 + queues).forEach(queue -> asked.offers(queue, DOMAIN));
        for (int queue = 100; queue < 100 + queues; queue++) {
            post(queue, RdmaWrite.of(queue, asks.slice(0, 8), at(KEY, 0)));
            rig.run();
        }
        assertThat(asked.sources.left).containsExactly(100);
        post(100, RdmaWrite.of(1, asks.slice(0, 8), at(KEY, 0)));
        rig.run();
        assertThat(asks.sendStatuses()).containsOnly(Status.SUCCESS).hasSize(queues + 1);
    }

    // rule xrc-completion
    @Test
    void aTakenReceiveIsFlushedToTheCqOfItsQueue() {
        offer(QUEUE, KEY, 1);
        post(QUEUE, Send.of(1, asks.slice(0, 700)));
        rig.lets = (side, packet) -> packet.opcode() != Opcode.XRC_SEND_LAST;
        rig.run();
        asked.machine.modify(QpModify.to(QpState.ERR), asked.turn);
        assertThat(asked.sources.namedCompletions.get(QUEUE))
                .extracting(WorkCompletion::status)
                .containsExactly(Status.WR_FLUSH_ERR);
        assertThat(asked.events).contains(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    // rule xrc-one-way
    @Test
    void anInitiatorAcceptsNoRequestAndATargetPostsNone() {
        Side other = new Side("c", 0x11, 1, QpType.XRC_INI, false, Profile.CONNECTX_5, true);
        other.machine.modify(TERMS.toInit(), other.turn);
        other.machine.modify(TERMS.toRtrAsRequester(gid(asks), asks.number), other.turn);
        other.machine.modify(TERMS.toRts(), other.turn);
        other.post(Send.of(1, other.slice(0, 8)), Destination.Named.sharedReceives(QUEUE));
        rig.answerLeases(other);
        other.machine.transmit(64, other.turn);
        rig.answerLeases(other);
        other.machine.transmit(64, other.turn);
        asks.machine.receive(other.out.remove(), asks.turn);
        assertThat(asks.discarded).hasSize(1);
    }

    // rule xrc-attributes
    @Test
    void anEndAcceptsOnlyTheAttributesOfItsDirection() {
        Side fresh = new Side("c", 0x33, 3, QpType.XRC_INI, false, Profile.CONNECTX_5, true);
        fresh.machine.modify(TERMS.toInit(), fresh.turn);
        assertThatThrownBy(() -> fresh.machine.modify(TERMS.toRtr(gid(asked), 1), fresh.turn))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("MAX_DEST_RD_ATOMIC");
        assertThatThrownBy(() -> asked.machine.modify(TERMS.toRts(), asked.turn))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("RETRY_CNT");
        asked.machine.modify(TERMS.toRtsAsResponder(), asked.turn);
        assertThat(asked.machine.state()).isEqualTo(QpState.RTS);
    }

    // rules xrc-named, wire-xrc-masked
    @Test
    void aMaskedAtomicNamesItsTransportAndItsQueue() {
        post(QUEUE, MaskedFetchAdd.of(1, asks.slice(0, 8), at(KEY, 64), 3));
        rig.run();
        assertThat(asks.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(asked.memory.readLong(64)).isEqualTo(3);
        Packet request = rig.wire.getFirst();
        assertThat(request.opcode()).isEqualTo(Opcode.XRC_MASKED_FETCH_ADD);
        assertThat(again(request)).isEqualTo(request);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7})
    void everyRequestIsExecutedOnceUnderPeriodicLoss(int nth) {
        offer(QUEUE, KEY, IntStream.range(0, 8).toArray());
        offer(OTHER, OTHER_KEY, IntStream.range(8, 16).toArray());
        int[] seen = {0};
        rig.lets = (side, packet) -> ++seen[0] % (nth + 1) != 0 || seen[0] > 200;
        for (int i = 0; i < 8; i++) {
            post(i % 2 == 0 ? QUEUE : OTHER, Send.of(i, asks.slice(0, 600)));
            post(QUEUE, FetchAdd.of(100 + i, asks.slice(2048, 8), at(KEY, 32768), 1));
            post(OTHER, RdmaRead.of(200 + i, asks.slice(4096, 600), at(OTHER_KEY, 32768)));
        }
        rig.runToQuiet();
        assertThat(asks.sendStatuses()).containsOnly(Status.SUCCESS).hasSize(24);
        assertThat(asked.memory.readLong(32768)).isEqualTo(8);
        assertThat(completed(QUEUE)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(completed(OTHER)).containsExactly(8L, 9L, 10L, 11L);
        assertThat(asked.sources.namedCompletions.get(QUEUE))
                .extracting(WorkCompletion::kind)
                .containsOnly(CompletionKind.RECV);
        assertThat(Arrays.stream(new int[] {QUEUE, OTHER})
                        .map(q -> Objects.requireNonNull(asked.sources.named.get(q))
                                .size()))
                .containsExactly(4, 4);
    }
}
