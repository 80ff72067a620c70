// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;

/** Registered memory divided into slots of one size; the contents of a slot identify its owner and number. */
record Slots(MemoryRegion region, int slotBytes, int owner) {
    private static final int PATTERNS = 61;

    static Slots of(Ground ground, HostProcess process, ProtectionDomain domain, int count, int slotBytes, int owner) {
        MemoryRegion region = ground.await(domain.register(
                Registration.of(process.allocate((long) count * slotBytes)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        Slots slots = new Slots(region, slotBytes, owner);
        for (int slot = 0; slot < count; slot++) {
            slots.restore(slot);
        }
        return slots;
    }

    private long offset(int slot) {
        return (long) slot * slotBytes;
    }

    /** Returns the initial contents of the slot. */
    byte[] pattern(int slot, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        Arrays.fill(bytes, (byte) (1 + owner * PATTERNS + slot % PATTERNS));
        return bytes;
    }

    void restore(int slot) {
        region.memory().write(offset(slot), pattern(slot, slotBytes));
    }

    LocalSlice local(int slot, int lengthBytes) {
        return region.slice(offset(slot), lengthBytes);
    }

    RemoteAddress remote(int slot) {
        return region.remote(offset(slot));
    }

    void holds(int slot, int at, byte[] expected) {
        assertThat(region.memory().read(offset(slot) + at, expected.length))
                .as("slot %d", slot)
                .isEqualTo(expected);
    }

    long word(int slot) {
        return region.memory().readLong(offset(slot));
    }

    void word(int slot, long value) {
        region.memory().writeLong(offset(slot), value);
    }
}
