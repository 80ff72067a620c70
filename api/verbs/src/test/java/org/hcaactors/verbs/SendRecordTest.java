// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendRecordTest {
    private static final long ID = 0x1122_3344_5566_7788L;
    private static final LocalSlice SLICE = new LocalSlice(0x8000_0001, 0x7FFF_0000_1000L, 4096);
    private static final RemoteAddress REMOTE = new RemoteAddress(0x9000_0002, 0xFFFF_0000_0000_2000L);
    private static final int IMMEDIATE = 0xCAFE_BABE;

    private final Words words = new Words();

    private SendRecord record(int opcode, LocalSlice... slices) {
        words.setLong(Calls.Send.WR_ID, ID)
                .setInt(Calls.Send.SIZE, Calls.Send.BYTES + slices.length * Calls.Element.BYTES)
                .setInt(Calls.Send.OPCODE, opcode)
                .setInt(Calls.Send.ELEMENTS, slices.length)
                .setInt(Calls.Send.IMMEDIATE, IMMEDIATE)
                .setInt(Calls.Send.RKEY, REMOTE.rkey())
                .setLong(Calls.Send.REMOTE_ADDRESS, REMOTE.address())
                .setLong(Calls.Send.COMPARE_ADD, 5)
                .setLong(Calls.Send.SWAP, 6);
        for (int index = 0; index < slices.length; index++) {
            int at = Calls.Send.BYTES + index * Calls.Element.BYTES;
            words.setLong(at + Calls.Element.ADDRESS, slices[index].address())
                    .setInt(at + Calls.Element.LENGTH, slices[index].lengthBytes())
                    .setInt(at + Calls.Element.LKEY, slices[index].lkey());
        }
        return new SendRecord(words.address(), new Handles());
    }

    private void expect(int opcode, WorkRequest work) {
        assertThat(record(opcode, SLICE).work()).isEqualTo(work);
    }

    @Test
    void eachOpcodeIsItsRequest() {
        List<LocalSlice> local = List.of(SLICE);

        expect(Calls.WrOpcode.SEND, Send.of(ID, local));
        expect(Calls.WrOpcode.SEND_WITH_IMM, Send.of(ID, local).withImmediate(IMMEDIATE));
        expect(Calls.WrOpcode.SEND_WITH_INV, Send.of(ID, local).withInvalidate(IMMEDIATE));
        expect(Calls.WrOpcode.RDMA_WRITE, RdmaWrite.of(ID, local, REMOTE));
        expect(
                Calls.WrOpcode.RDMA_WRITE_WITH_IMM,
                RdmaWrite.of(ID, local, REMOTE).withImmediate(IMMEDIATE));
        expect(Calls.WrOpcode.RDMA_READ, RdmaRead.of(ID, local, REMOTE));
        expect(Calls.WrOpcode.ATOMIC_CMP_AND_SWP, CompareAndSwap.of(ID, local, REMOTE, 5, 6));
        expect(Calls.WrOpcode.ATOMIC_FETCH_AND_ADD, FetchAdd.of(ID, local, REMOTE, 5));
        expect(Calls.WrOpcode.LOCAL_INV, LocalInvalidate.of(ID, IMMEDIATE));
    }

    @Test
    void allElementsAreInTheRequest() {
        LocalSlice other = new LocalSlice(3, 0, 0);

        assertThat(record(Calls.WrOpcode.SEND, SLICE, other, SLICE).work().local())
                .containsExactly(SLICE, other, SLICE);
        assertThat(record(Calls.WrOpcode.SEND).work().local()).isEmpty();
    }

    @Test
    void flagsAreThoseOfLibibverbs() {
        SendRecord record = record(Calls.WrOpcode.SEND);
        words.setInt(Calls.Send.FLAGS, Calls.SendFlag.SIGNALED | Calls.SendFlag.INLINE);
        assertThat(record.flags()).isEqualTo(SendFlags.SIGNALED.withInline());

        words.setInt(Calls.Send.FLAGS, Calls.SendFlag.FENCE | Calls.SendFlag.SOLICITED);
        assertThat(record.flags()).isEqualTo(SendFlags.NONE.withFence().withSolicited());
    }

    @Test
    void unknownFlagsAreInvalid() {
        SendRecord record = record(Calls.WrOpcode.SEND);
        words.setInt(Calls.Send.FLAGS, Calls.SendFlag.IP_CSUM);

        assertThatExceptionOfType(VerbsException.class).isThrownBy(record::work);
    }

    @ParameterizedTest
    @ValueSource(ints = {Calls.WrOpcode.TSO, Calls.WrOpcode.ATOMIC_WRITE, -1, Integer.MAX_VALUE})
    void otherOpcodesAreInvalid(int opcode) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> record(opcode).work())
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, ElementList.MAX + 1})
    void aListOfImpossibleLengthIsInvalid(int count) {
        SendRecord record = record(Calls.WrOpcode.SEND);
        words.setInt(Calls.Send.ELEMENTS, count);

        assertThatExceptionOfType(VerbsException.class).isThrownBy(record::work);
    }

    @Test
    void theNextRecordBeginsBehindTheElements() {
        SendRecord record = record(Calls.WrOpcode.SEND, SLICE, SLICE);

        assertThat(record.next().at()).isEqualTo(words.address() + Calls.Send.BYTES + 2 * Calls.Element.BYTES);
    }
}
