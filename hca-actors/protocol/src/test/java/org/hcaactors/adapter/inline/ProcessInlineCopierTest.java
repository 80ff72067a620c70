// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.InlineCopyFailed.Addresses;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copying of inline data, and its failures. */
class ProcessInlineCopierTest {
    private static final int KEY = 0x100_00;

    private final ModelledSpace space = new ModelledSpace();
    private final MappedMemory memory = space.allocate(100);
    private final RemappedKeys foreign = new RemappedKeys();
    private final InlineCopier copier = new ProcessInlineCopier(
            new ProcessMemory("app", space, foreign),
            new AdapterTrace(TraceSink.NONE, () -> 0, "a"),
            Element.queuePair(3));
    private final WorkCompletion entry =
            WorkCompletion.of(7, Status.SUCCESS, CompletionKind.RECV, 3, 6, OptionalInt.of(5));

    private LocalSlice slice(long offset, int count) {
        return new LocalSlice(KEY, memory.address() + offset, count);
    }

    private WorkCompletion land(LocalSlice... to) {
        return copier.copy(entry, new InlineData(List.of(to), Octets.copyOf(new byte[] {1, 2, 3, 4, 5, 6}), 0));
    }

    private void nothingIsCopied(Status status, LocalSlice... to) {
        assertThat(land(to)).isEqualTo(WorkCompletion.of(7, status, CompletionKind.RECV, 3, 0, OptionalInt.empty()));
        if (memory.isMapped()) {
            assertThat(memory.read(0, 100)).containsOnly(0);
        }
    }

    // rules inline-poll, inline-keys
    @Test
    void bytesAreCopiedToTheBuffersInOrderForEveryKey() {
        assertThat(land(slice(10, 2), slice(0, 0), new LocalSlice(0x999, memory.address() + 30, 3), slice(20, 50)))
                .isSameAs(entry);
        byte[] expected = new byte[100];
        expected[10] = 1;
        expected[11] = 2;
        expected[30] = 3;
        expected[31] = 4;
        expected[32] = 5;
        expected[20] = 6;
        assertThat(memory.read(0, 100)).isEqualTo(expected);
    }

    // rule inline-poll
    @Test
    void aBufferMaySpanAdjacentMemories() {
        MappedMemory first = space.allocateFixed(0x10000, 4096);
        MappedMemory second = space.allocateFixed(0x11000, 4096);
        assertThat(land(new LocalSlice(KEY, 0x11000 - 2, 6))).isSameAs(entry);
        assertThat(first.read(4094, 2)).containsExactly(1, 2);
        assertThat(second.read(0, 4)).containsExactly(3, 4, 5, 6);
        second.close();
        nothingIsCopied(Status.LOC_PROT_ERR, new LocalSlice(KEY, 0x11000 - 4, 6));
        assertThat(first.read(4092, 2)).containsOnly(0);
    }

    // rules inline-poll, paging-host
    @Test
    void copyingMakesThePageResident() {
        assertThat(space.firstAbsent(memory.address(), 100)).isEqualTo(memory.address());
        assertThat(land(slice(10, 6))).isSameAs(entry);
        assertThat(space.firstAbsent(memory.address(), 100)).isEqualTo(-1);
    }

    // rule inline-too-long
    @Test
    void dataLongerThanTheBuffersIsALengthError() {
        nothingIsCopied(Status.LOC_LEN_ERR, slice(0, 5));
        nothingIsCopied(Status.LOC_LEN_ERR);
    }

    // rule inline-unmapped
    @Test
    void unmappedMemoryIsAProtectionErrorAndNoByteIsCopied() {
        nothingIsCopied(Status.LOC_PROT_ERR, new LocalSlice(KEY, 0, 64));
        nothingIsCopied(Status.LOC_PROT_ERR, new LocalSlice(KEY, -8, 64));
        nothingIsCopied(Status.LOC_PROT_ERR, new LocalSlice(KEY, Long.MAX_VALUE, 64));
        nothingIsCopied(Status.LOC_PROT_ERR, slice(96, 64));
        nothingIsCopied(Status.LOC_PROT_ERR, slice(0, 2), new LocalSlice(KEY, 64, 64));
        memory.close();
        nothingIsCopied(Status.LOC_PROT_ERR, slice(0, 64));
    }

    // rule inline-unmapped
    @Test
    void anAddressWithoutBytesIsNotChecked() {
        assertThat(land(slice(0, 6), new LocalSlice(KEY, 0, 64), new LocalSlice(KEY, 0, 0)))
                .isSameAs(entry);
    }

    // rule inline-addresses
    @ParameterizedTest
    @EnumSource
    void aKeyOfOtherAddressesIsAProtectionErrorAlsoIfMapped(Addresses addresses) {
        foreign.are(KEY, Optional.of(addresses));
        nothingIsCopied(Status.LOC_PROT_ERR, slice(0, 64));
        foreign.are(KEY, Optional.empty());
        assertThat(land(slice(0, 64))).isSameAs(entry);
    }

    @Test
    void anEntryKeepsItsTimestampWhenItFails() {
        WorkCompletion stamped = entry.withTimestampTicks(99);
        InlineData inlineData = new InlineData(List.of(), Octets.copyOf(new byte[1]), 0);
        assertThat(copier.copy(stamped, inlineData).timestampTicks()).hasValue(99);
    }
}
