// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.junit.jupiter.api.Test;

/** UC over a wire that loses, duplicates and reorders: a message arrives whole or not at all (rule uc-whole-or-nothing). */
class UcModelTest {
    private static final int RECEIVE_BYTES = 800;
    private static final int RECEIVES = 32 << 10;

    /** Expected results of the packets that arrive, message by message. */
    private static final class Receiver {
        final byte[] memory;
        final long address;
        final Deque<Receive> posted = new ArrayDeque<>();
        final List<WorkCompletion> completions = new ArrayList<>();
        final List<Packet> message = new ArrayList<>();
        int expected;
        int outOfSequence;
        int withoutReceive;
        int dropped;

        Receiver(Side side, int firstPsn) {
            memory = side.memory.read(0, Side.MEMORY);
            address = side.memory.address();
            expected = firstPsn;
        }

        void arrives(Packet packet) {
            Operation operation = packet.operation();
            boolean gap = packet.psn() != expected;
            outOfSequence += gap ? 1 : 0;
            expected = Psn.plus(packet.psn(), 1);
            if (!operation.starts() && (gap || message.isEmpty())) {
                dropped += message.isEmpty() ? 1 : 2;
                message.clear();
                return;
            }
            if (operation.starts()) {
                dropped += message.isEmpty() ? 0 : 1;
                message.clear();
            }
            boolean needsReceive =
                    operation.starts() && operation.isSend() || operation.isWrite() && operation.carriesImmediate();
            if (needsReceive && posted.isEmpty()) {
                withoutReceive++;
                dropped += message.isEmpty() ? 1 : 2;
                message.clear();
                return;
            }
            message.add(packet);
            if (operation.isWrite()) {
                int done = bytes() - packet.payload().length();
                packet.payload().copyTo(memory, (int) (message.getFirst().reth().address() - address) + done);
            }
            if (operation.ends()) {
                end(packet);
            }
        }

        private int bytes() {
            return message.stream().mapToInt(p -> p.payload().length()).sum();
        }

        private void end(Packet last) {
            if (last.operation().isSend()) {
                Receive receive = posted.remove();
                int at = (int) (receive.local().getFirst().address() - address);
                for (Packet packet : message) {
                    packet.payload().copyTo(memory, at);
                    at += packet.payload().length();
                }
                complete(receive, CompletionKind.RECV, last.immediateIfAny());
            } else if (last.operation().carriesImmediate()) {
                complete(posted.remove(), CompletionKind.RECV_RDMA_WITH_IMM, last.immediateIfAny());
            }
            message.clear();
        }

        private void complete(Receive receive, CompletionKind kind, OptionalInt immediate) {
            completions.add(WorkCompletion.of(receive.id(), Status.SUCCESS, kind, 0x22, bytes(), immediate));
        }
    }

    private static final class Conversation {
        private final SplittableRandom random;
        private final Rig rig;
        private final Receiver model;

        Conversation(SplittableRandom random, int firstPsn) {
            this.random = random;
            rig = UcTest.rig(UcTest.TERMS.withMtu(PathMtu.BYTES_256).withFirstPsn(firstPsn), Profile.SOFT_ROCE);
            byte[] bytes = new byte[RECEIVES / 2];
            random.nextBytes(bytes);
            rig.a.memory.write(0, bytes);
            rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(0));
            model = new Receiver(rig.b, firstPsn);
        }

        void run(int messages) {
            for (int id = 0; id < messages; id++) {
                post(id);
                if (random.nextInt(4) > 0) {
                    postReceive(id);
                }
            }
            rig.run(rig.a);
            assertThat(rig.a.sendStatuses()).hasSize(messages).containsOnly(Status.SUCCESS);
            for (Packet packet : throughTheWire(List.copyOf(rig.a.out))) {
                model.arrives(packet);
                rig.b.machine.receive(packet, rig.b.at(0));
            }
            assertThat(rig.b.receives).isEqualTo(model.completions);
            assertThat(rig.b.memory.read(0, RECEIVES)).isEqualTo(Arrays.copyOf(model.memory, RECEIVES));
            assertReceived();
            assertThat(rig.b.counted(Counter.OUT_OF_SEQUENCE)).isEqualTo(model.outOfSequence);
            assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isEqualTo(model.withoutReceive);
            assertThat(rig.b.discarded).hasSize(model.dropped);
            assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(model.expected);
            assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
            assertThat(rig.b.out).isEmpty();
        }

        /** Compares the receives that completed; an abandoned one may hold bytes of a message that never arrived. */
        private void assertReceived() {
            for (WorkCompletion completion : model.completions) {
                if (completion.kind() == CompletionKind.RECV) {
                    int at = RECEIVES + (int) completion.workId() * RECEIVE_BYTES;
                    byte[] expected = Arrays.copyOfRange(model.memory, at, at + (int) completion.lengthBytes());
                    assertThat(rig.b.memory.read(at, expected.length)).isEqualTo(expected);
                }
            }
        }

        private void post(int id) {
            int length = random.nextInt(4) == 0 ? 256 * random.nextInt(4) : random.nextInt(RECEIVE_BYTES);
            LocalSlice from = rig.a.slice(random.nextInt(RECEIVES / 2 - RECEIVE_BYTES), length);
            boolean immediate = random.nextBoolean();
            if (random.nextBoolean()) {
                Send send = Send.of(id, from).withSignaled();
                rig.a.post(immediate ? send.withImmediate(id) : send);
            } else {
                RdmaWrite write = RdmaWrite.of(id, from, rig.b.remote(random.nextInt(RECEIVES - RECEIVE_BYTES)))
                        .withSignaled();
                rig.a.post(immediate ? write.withImmediate(id) : write);
            }
        }

        private void postReceive(int id) {
            Receive receive = Receive.of(id, rig.b.slice(RECEIVES + id * RECEIVE_BYTES, RECEIVE_BYTES));
            model.posted.add(receive);
            rig.b.postReceive(receive);
        }

        private List<Packet> throughTheWire(List<Packet> sent) {
            List<Packet> arrived = new ArrayList<>();
            for (Packet packet : sent) {
                switch (random.nextInt(20)) {
                    case 0 -> {}
                    case 1 -> {
                        arrived.add(packet);
                        arrived.add(packet);
                    }
                    case 2 -> arrived.add(Math.max(0, arrived.size() - 1), packet);
                    default -> arrived.add(packet);
                }
            }
            return arrived;
        }
    }

    // rule uc-whole-or-nothing
    @Test
    void aMessageIsDeliveredWholeOrNotAtAllUnderLossAndReordering() {
        for (int seed = 0; seed < 100; seed++) {
            new Conversation(new SplittableRandom(seed), seed % 2 == 0 ? 0xFF_FFF0 : seed).run(40);
        }
    }
}
