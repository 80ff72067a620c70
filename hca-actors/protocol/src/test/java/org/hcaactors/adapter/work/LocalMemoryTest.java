// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.EightBytes;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;

/** Slice lists compared with an array: each byte of a part is looked up by itself. */
class LocalMemoryTest {
    private static final int REFUSED = 0x900;
    private static final int UNKNOWN = 0xA00;

    private final Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);
    private final LeaseCache leases = new LeaseCache();
    private final LocalMemory memory = new LocalMemory(new KeyUser(1, 17), leases, PageWaits.NONE);

    private final Map<Integer, Region> regions = new HashMap<>();

    LocalMemoryTest() {
        side.keys.clear();
        register(0x100, 1, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        register(0x200, 1, 1000, 500, AccessFlags.LOCAL_AND_REMOTE);
        register(0x300, 1, 0, Side.MEMORY, AccessFlags.NONE);
        register(0x400, 2, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        regions.forEach((key, region) -> leases.granted(region.lease(key, grant -> {}, List.of())));
        leases.refused(REFUSED, new Denial.Unregistered());
    }

    private void register(int key, int domain, long offset, long lengthBytes, AccessFlags rights) {
        regions.put(key, new Region(key, domain, side.memory.address() + offset, lengthBytes, rights, side.memory));
    }

    private LocalSlice slice(int key, int at, int length) {
        return new LocalSlice(key, side.memory.address() + at, length);
    }

    /** Returns why a part of one slice is forbidden, "" if it is not. */
    private String fault(LocalSlice slice, int skip, int count, boolean writing) {
        String name = "L_Key 0x%08x".formatted(slice.lkey());
        Region region = regions.get(slice.lkey());
        if (region == null) {
            return name + " is not registered, or was deregistered";
        }
        if (region.domain() != 1) {
            return name + " belongs to protection domain 2; 1 is needed";
        }
        long at = slice.address() + skip;
        if (at < region.address() || at + count > region.address() + region.lengthBytes()) {
            return name
                    + " covers %d bytes from 0x%x; the %d bytes from 0x%x are not inside"
                            .formatted(region.lengthBytes(), region.address(), count, at);
        }
        return writing && !region.rights().allows(Access.LOCAL_WRITE) ? name + " does not allow LOCAL_WRITE" : "";
    }

    private String model(List<LocalSlice> slices, int from, int count, boolean writing) {
        int at = 0;
        for (LocalSlice slice : slices) {
            int skip = Math.max(0, from - at);
            int touched = Math.min(slice.lengthBytes(), from + count - at) - skip;
            if (touched > 0 && !fault(slice, skip, touched, writing).isEmpty()) {
                return fault(slice, skip, touched, writing);
            }
            at += slice.lengthBytes();
        }
        return "";
    }

    private List<LocalSlice> draw(SplittableRandom random, int... keys) {
        List<LocalSlice> slices = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            slices.add(slice(keys[random.nextInt(keys.length)], random.nextInt(900, 1500), random.nextInt(4) * 50));
        }
        return slices;
    }

    private static int length(List<LocalSlice> slices) {
        return Math.toIntExact(LocalSlice.lengthBytes(slices));
    }

    // rule memory-touched-bytes
    @Test
    void aListIsForbiddenIfAnyByteIsAndNamesTheFirstFault() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            List<LocalSlice> slices = draw(random, 0x100, 0x100, 0x200, 0x300, 0x400, REFUSED);
            int from = random.nextInt(length(slices) + 1);
            int count = from == length(slices) ? 0 : 1 + random.nextInt(length(slices) - from);
            boolean writing = random.nextBoolean();
            String reason = model(slices, from, count, writing);
            assertThat(memory.checkAccess(slices, from, count, writing, side.turn))
                    .isEqualTo(reason.isEmpty() ? Accessibility.READY : Accessibility.FORBIDDEN);
            if (!reason.isEmpty()) {
                assertThat(ReasonTexts.of(memory.whyNot())).isEqualTo(reason);
            }
        }
        assertThat(side.asked).isEmpty();
    }

    @Test
    void anUnknownKeyIsRequestedOnceAndAwaited() {
        List<LocalSlice> slices = List.of(slice(UNKNOWN, 0, 8), slice(0x100, 0, 8), slice(UNKNOWN + 1, 0, 8));
        assertThat(memory.checkAccess(slices, 0, 24, true, side.turn)).isEqualTo(Accessibility.AWAITING);
        assertThat(memory.checkAccess(slices, 0, 24, true, side.turn)).isEqualTo(Accessibility.AWAITING);
        assertThat(side.asked).containsExactly(UNKNOWN, UNKNOWN + 1);
        assertThat(memory.checkAccess(slices, 0, 16, true, side.turn)).isEqualTo(Accessibility.AWAITING);
        assertThat(memory.checkAccess(slices, 8, 8, true, side.turn)).isEqualTo(Accessibility.READY);
        assertThatThrownBy(memory::whyNot).hasMessage("no access was denied");
    }

    @Test
    void aForbiddenKeyTakesPrecedenceOverAnAwaitedOne() {
        List<LocalSlice> slices = List.of(slice(UNKNOWN, 0, 8), slice(REFUSED, 0, 8));
        assertThat(memory.checkAccess(slices, 0, 16, true, side.turn)).isEqualTo(Accessibility.FORBIDDEN);
        assertThat(memory.checkAccess(slices.reversed(), 0, 16, true, side.turn))
                .isEqualTo(Accessibility.FORBIDDEN);
    }

    // rule memory-touched-bytes
    @Test
    void aRequestOfZeroBytesIsCheckedByItsKeyOnly() {
        assertThat(memory.checkAccess(0x200, 5, 0, Access.REMOTE_READ, side.turn))
                .isEqualTo(Accessibility.READY);
        assertThat(memory.checkAccess(0x400, 5, 0, Access.REMOTE_READ, side.turn))
                .isEqualTo(Accessibility.FORBIDDEN);
        assertThat(memory.checkAccess(0x300, 5, 0, Access.REMOTE_READ, side.turn))
                .isEqualTo(Accessibility.FORBIDDEN);
        assertThat(ReasonTexts.of(memory.whyNot())).isEqualTo("R_Key 0x00000300 does not allow REMOTE_READ");
        assertThat(memory.checkAccess(0x300, side.memory.address(), 5, null, side.turn))
                .isEqualTo(Accessibility.READY);
    }

    @Test
    void gatherAndScatterTouchAndReportTheBytesOfThePart() {
        SplittableRandom random = new SplittableRandom(2);
        byte[] filled = new byte[2000];
        for (int i = 0; i < 2000; i++) {
            random.nextBytes(filled);
            side.memory.write(0, filled);
            List<LocalSlice> slices = draw(random, 0x100);
            int from = random.nextInt(length(slices) + 1);
            int count = random.nextInt(length(slices) - from + 1);
            byte[] target = new byte[count + 7];
            byte[] expected = new byte[count + 7];
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            byte[] after = filled.clone();
            int place = 0;
            List<String> told = new ArrayList<>();
            for (LocalSlice slice : slices) {
                int at = (int) (slice.address() - side.memory.address());
                int skip = Math.min(slice.lengthBytes(), Math.max(0, from - place));
                int part = Math.max(0, Math.min(slice.lengthBytes(), from + count - place) - skip);
                int done = Math.max(0, place + skip - from);
                if (part > 0) {
                    System.arraycopy(filled, at + skip, expected, 5 + done, part);
                    System.arraycopy(bytes, done, after, at + skip, part);
                    told.add("%d bytes at %d".formatted(part, at + skip));
                }
                place += slice.lengthBytes();
            }
            side.touched.clear();
            memory.gather(slices, from, target, 5, count, side.turn);
            assertThat(target).isEqualTo(expected);
            assertThat(side.touched)
                    .isEqualTo(told.stream().map("read "::concat).toList());
            side.touched.clear();
            memory.scatter(slices, from, Octets.copyOf(bytes), side.turn);
            assertThat(side.memory.read(0, filled.length)).isEqualTo(after);
            assertThat(side.touched)
                    .isEqualTo(told.stream().map("wrote "::concat).toList());
        }
    }

    @Test
    void accessesForThePeerAreReported() {
        memory.store(0x100, side.memory.address() + 3, Octets.copyOf(new byte[] {7, 8}), side.turn);
        byte[] target = new byte[3];
        memory.load(0x100, side.memory.address() + 3, target, 1, 2, side.turn);
        assertThat(target).containsExactly(0, 7, 8);
        assertThat(side.touched).containsExactly("wrote 2 bytes at 3 for the peer", "read 2 bytes at 3 for the peer");
    }

    @Test
    void anAtomicReturnsTheOldWordAndReportsTheNewOne() {
        assertThat(changed(Atomic.fetchAdd(5))).isZero();
        assertThat(changed(Atomic.fetchAdd(-2))).isEqualTo(5);
        assertThat(changed(Atomic.compareSwap(4, 9))).isEqualTo(3);
        assertThat(changed(Atomic.compareSwap(3, 9))).isEqualTo(3);
        assertThat(changed(Atomic.fetchAdd(0))).isEqualTo(9);
        assertThat(side.touched)
                .containsExactly(
                        "0 became 5 at 16",
                        "5 became 3 at 16",
                        "3 became 3 at 16",
                        "3 became 9 at 16",
                        "9 became 9 at 16");
    }

    private long changed(Atomic atomic) {
        return memory.update(0x100, side.memory.address() + 16, atomic, EightBytes.UNIT, side.turn)
                .toLong();
    }

    @Test
    void nothingIsCopiedUnderAKeyWithoutALease() {
        assertThatThrownBy(() -> memory.gather(List.of(slice(UNKNOWN, 0, 8)), 0, new byte[8], 0, 8, side.turn))
                .hasMessage("key 0x00000a00 is used without a lease");
        assertThat(Arrays.asList(side.touched)).hasSize(1);
    }
}
