// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Payloads that refer to memory. */
class LoanTest {
    private static final int START = 3;
    private static final int LENGTH = 12;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(START + LENGTH + 5);
    private final Loan loan = new Loan(memory, START, LENGTH);
    private final Octets lent = loan.payload(1);

    LoanTest() {
        for (int i = 0; i < LENGTH; i++) {
            memory.put(START + i, (byte) (i + 1));
        }
    }

    private Octets copy() {
        return Octets.copyOf(lent.toArray());
    }

    @Test
    void itReadsLikeACopy() {
        Octets copy = Octets.copyOf(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        assertThat(lent).isEqualTo(copy).hasSameHashCodeAs(copy);
        assertThat(copy).isEqualTo(lent);
        assertThat(lent.crc32()).isEqualTo(copy.crc32());
        assertThat(lent.at(11)).isEqualTo((byte) 12);
        assertThat(lent.slice(2, 3)).isEqualTo(copy.slice(2, 3)).isNotEqualTo(copy.slice(3, 3));
        assertThat(lent.slice(2, 0)).isSameAs(Octets.NONE);
        assertThatThrownBy(() -> lent.at(LENGTH)).isInstanceOf(IndexOutOfBoundsException.class);
        ByteBuffer frame = ByteBuffer.allocate(LENGTH);
        lent.writeTo(frame);
        assertThat(frame.array()).isEqualTo(copy.toArray());
        byte[] part = new byte[LENGTH + 2];
        lent.copyTo(part, 2);
        assertThat(Octets.wrap(part, 2, LENGTH)).isEqualTo(copy);
    }

    @Test
    void itFollowsTheMemoryUntilItIsSettled() {
        memory.put(START, (byte) 99);
        assertThat(lent.at(0)).isEqualTo((byte) 99);
        Octets before = copy();
        loan.settle();
        memory.put(START, (byte) 1);
        assertThat(lent).isEqualTo(before);
        loan.settle();
        assertThat(lent).isEqualTo(before);
    }

    @Test
    void storingCopiesOnlyTheRequestedBytes() {
        ByteBuffer target = ByteBuffer.allocate(6);
        lent.store(4, target, 1, 3);
        assertThat(target.array()).containsExactly(0, 5, 6, 7, 0, 0);
        loan.settle();
        lent.store(5, target, 0, 2);
        assertThat(target.array()).containsExactly(6, 7, 6, 7, 0, 0);
    }

    @Test
    void itIsOverWhenItsLastByteIsStored() {
        ByteBuffer target = ByteBuffer.allocate(LENGTH);
        lent.store(0, target, 0, LENGTH - 1);
        assertThat(loan.isOver()).isFalse();
        lent.slice(LENGTH - 2, 2).store(0, target, 0, 2);
        assertThat(loan.isOver()).isTrue();
    }

    @Test
    void aRunSplitsIntoPacketsOfConsecutivePsns() {
        Bth bth = Bth.of(Opcode.RC_WRITE_MIDDLE, false, true, 4, Bth.DEFAULT_PKEY, 7, false, Psn.MASK);
        Route route = new Route(PortAddress.ofIpv4(1), PortAddress.ofIpv4(2), 0, 64, 0, 0xC000);
        Packet run = new Packet(route, bth, List.of(), loan.payload(3));
        Octets all = copy();
        assertThat(run.isRun()).isTrue();
        assertThat(run.lastPsn()).isOne();
        assertThat(run.split()).hasSize(3).allMatch(each -> !each.isRun());
        assertThat(run.split()).extracting(Packet::psn).containsExactly(Psn.MASK, 0, 1);
        assertThat(run.split().getLast().payload()).isEqualTo(all.slice(8, 4));
        assertThat(run.ipBytes()).isEqualTo(run.split().getFirst().ipBytes());
        run.settle();
        memory.put(START, (byte) 99);
        assertThat(run.payload()).isEqualTo(all);
    }

    @Test
    void heldPacketsAreSettledAndSplit() {
        Bth bth = Bth.of(Opcode.RC_WRITE_MIDDLE, false, true, 4, Bth.DEFAULT_PKEY, 7, false, 5);
        Route route = new Route(PortAddress.ofIpv4(1), PortAddress.ofIpv4(2), 0, 64, 0, 0xC000);
        Packet run = new Packet(route, bth, List.of(), loan.payload(3));
        Packet other = new Packet(route, bth, List.of(), Octets.copyOf(new byte[4]));
        List<Packet> expected = new ArrayList<>(run.split());
        expected.add(other);
        Packet[] held = Packet.settledAndSplit(new Packet[] {run, other});
        Octets first = copy().slice(0, 4);
        memory.put(START, (byte) 99);
        assertThat(held).containsExactlyElementsOf(expected);
        assertThat(held[0].payload()).isEqualTo(first);
        Packet[] plain = {other};
        assertThat(Packet.settledAndSplit(plain)).isSameAs(plain);
    }

    @Test
    void aSinglePacketIsNoRun() {
        Bth bth = Bth.of(Opcode.RC_WRITE_MIDDLE, false, true, 4, Bth.DEFAULT_PKEY, 7, false, 5);
        Route route = new Route(PortAddress.ofIpv4(1), PortAddress.ofIpv4(2), 0, 64, 0, 0xC000);
        Packet one = new Packet(route, bth, List.of(), lent);
        assertThat(one.isRun()).isFalse();
        assertThat(one.lastPsn()).isEqualTo(5);
        assertThat(one.split()).containsExactly(one);
    }
}
