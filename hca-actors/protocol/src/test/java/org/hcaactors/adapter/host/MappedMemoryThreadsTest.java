// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process's memory: mapped, pinned by regions, unmapped, and unmapped with the process, all concurrently. */
@Tag("judge")
public class MappedMemoryThreadsTest {
    private final ModelledSpace space = new ModelledSpace();
    private final MappedMemory memory = space.allocate(0);
    private final ConcurrentLinkedQueue<Pin> pins = new ConcurrentLinkedQueue<>();

    @Operation
    public boolean pin() {
        return unlessRefused(() -> pins.add(memory.pin(space.locked(), memory.address(), memory.lengthBytes())))
                .isPresent();
    }

    @Operation
    public boolean unmap() {
        return unlessRefused(() -> {
                    memory.close();
                    return true;
                })
                .isPresent();
    }

    @Operation
    public boolean isMapped() {
        return memory.isMapped();
    }

    /** Releases a region, perhaps twice. */
    @Operation
    public boolean release() {
        Pin pin = pins.poll();
        if (pin != null) {
            pin.release();
            pin.release();
        }
        return pin != null;
    }

    @Operation
    public void exit() {
        space.close();
    }

    @Test
    void memoryIsUnmappedOnlyWhileNoRegionCoversIt() {
        Interleavings.of(MappedMemoryThreadsTest.class)
                .before("pin")
                .thread("pin", "release")
                .thread("release", "unmap")
                .after("isMapped", "pin")
                .inAnyOrder();
    }

    @Test
    void memoryIsUnmappedWhenItsProcessExits() {
        Interleavings.of(MappedMemoryThreadsTest.class)
                .before("pin")
                .thread("pin", "isMapped")
                .thread("exit")
                .thread("unmap")
                .after("isMapped", "pin")
                .inAnyOrder();
    }

    @FunctionalInterface
    private interface Verb<T> {
        T call();
    }

    private static <T> Optional<T> unlessRefused(Verb<T> verb) {
        try {
            return Optional.of(verb.call());
        } catch (VerbsException refused) {
            return Optional.empty();
        }
    }
}
