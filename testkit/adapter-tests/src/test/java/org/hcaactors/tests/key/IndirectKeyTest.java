// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.key.IndirectSetup.ALL;
import static org.hcaactors.tests.key.IndirectSetup.of;
import static org.hcaactors.tests.key.IndirectSetup.pattern;
import static org.hcaactors.tests.key.IndirectSetup.strided;

import java.util.Arrays;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traffic through indirect keys, in both directions. */
class IndirectKeyTest {
    private static final int BYTES = 5000;
    private static final int STRIDE = 13;
    private static final int AREA = 20_000;

    private final IndirectSetup ground = new IndirectSetup(41);

    @AfterEach
    void close() {
        ground.close();
    }

    /** Returns a layout of short, unaligned pieces, more than fit in one packet. */
    private KeyLayout odd(org.hcaactors.lab.pair.RcEnd end) {
        return KeyLayout.interleaved(BYTES / 5, strided(end, AREA + 3, 3, STRIDE), strided(end, 2 * AREA + 1, 2, 1));
    }

    private static byte[] gathered(org.hcaactors.lab.pair.RcEnd end) {
        byte[] memory = end.memory().read(0, 4 * AREA);
        byte[] found = new byte[BYTES];
        for (int time = 0; time < BYTES / 5; time++) {
            System.arraycopy(memory, AREA + 3 + time * (3 + STRIDE), found, time * 5, 3);
            System.arraycopy(memory, 2 * AREA + 1 + time * 3, found, time * 5 + 3, 2);
        }
        return found;
    }

    // rules indirect-translation, indirect-alignment
    @Test
    void aPeersWriteIsScatteredAndItsReadGathers() {
        IndirectKey key = ground.key(ground.b, odd(ground.b));
        ground.a.memory().write(0, pattern(BYTES));
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, BYTES), key.remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(gathered(ground.b)).isEqualTo(pattern(BYTES));
        assertThat(ground.b.memory().read(AREA + 6, STRIDE)).containsOnly(0);

        assertThat(ground.status(ground.a, RdmaRead.of(2, ground.a.slice(AREA, BYTES - 7), key.remote(7))))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.a.memory().read(AREA, BYTES - 7)).isEqualTo(Arrays.copyOfRange(pattern(BYTES), 7, BYTES));
    }

    // rules indirect-translation, indirect-alignment
    @Test
    void aWriteGathersAndAReadIsScattered() {
        IndirectKey key = ground.key(ground.a, odd(ground.a));
        ground.b.memory().write(0, pattern(BYTES));
        assertThat(ground.status(ground.a, RdmaRead.of(1, key.slice(0, BYTES), ground.b.remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(gathered(ground.a)).isEqualTo(pattern(BYTES));
        assertThat(ground.status(ground.a, RdmaWrite.of(2, key.slice(0, BYTES), ground.b.remote(AREA))))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.b.memory().read(AREA, BYTES)).isEqualTo(pattern(BYTES));
    }

    // rule indirect-translation
    @Test
    void aSendGathersAndAReceiveIsScattered() {
        IndirectKey from = ground.key(ground.a, odd(ground.a));
        IndirectKey into = ground.key(ground.b, odd(ground.b));
        ground.b.memory().write(0, pattern(BYTES));
        ground.status(ground.a, RdmaRead.of(1, from.slice(0, BYTES), ground.b.remote(0)));
        ground.b.qp().postReceive(Receive.of(2, into.slice(0, 1), into.slice(1, BYTES - 1)));
        assertThat(ground.status(ground.a, Send.of(3, from.slice(0, 2), from.slice(2, BYTES - 2))))
                .isEqualTo(Status.SUCCESS);
        assertThat(gathered(ground.b)).isEqualTo(pattern(BYTES));
    }

    // rule indirect-empty
    @Test
    void anUnfilledKeyIsALocalProtectionError() {
        IndirectKey key = ground.key(ground.a);
        assertThat(ground.status(ground.a, Send.of(1, key.slice(0, 8)))).isEqualTo(Status.LOC_PROT_ERR);
    }

    // rule indirect-empty
    @Test
    void anUnfilledKeyIsARemoteAccessError() {
        IndirectKey key = ground.key(ground.b);
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule indirect-invalidate
    @Test
    void anInvalidatedKeyMapsNothingUntilItIsRefilled() {
        KeyLayout layout = KeyLayout.list(ground.b.slice(0, 8));
        IndirectKey key = ground.key(ground.b, layout);
        RcWork write = RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0));
        assertThat(ground.status(ground.a, write)).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.b, LocalInvalidate.of(2, key.lkey()))).isEqualTo(Status.SUCCESS);
        assertThat(ground.fill(ground.b, key, layout)).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, write)).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.b, LocalInvalidate.of(3, key.lkey()))).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, write)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule indirect-rights
    @ParameterizedTest
    @EnumSource(
            value = Access.class,
            names = {"REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC"})
    void aRightMissingOnTheKeyIsDeniedRemotely(Access right) {
        IndirectKey key = ground.key(ground.b);
        AccessFlags others = new AccessFlags(ALL.bits() & ~right.bit());
        FillKey fill = FillKey.of(1, key, KeyLayout.list(ground.b.slice(0, 8)));
        assertThat(ground.status(ground.b, fill.withAccess(others))).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, using(right, key))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule indirect-rights
    @ParameterizedTest
    @EnumSource(
            value = Access.class,
            names = {"REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC"})
    void aRightMissingOnAPartIsDeniedRemotely(Access right) {
        MemoryRegion weak = ground.region(ground.b, new AccessFlags(ALL.bits() & ~right.bit()));
        IndirectKey key = ground.key(ground.b, KeyLayout.list(of(weak, 0, 8)));
        assertThat(ground.status(ground.a, using(right, key))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    private RcWork using(Access right, IndirectKey key) {
        return switch (right) {
            case REMOTE_WRITE -> RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0));
            case REMOTE_READ -> RdmaRead.of(1, ground.a.slice(0, 8), key.remote(0));
            case REMOTE_ATOMIC -> FetchAdd.of(1, ground.a.slice(0, 8), key.remote(0), 1);
            default -> throw new IllegalArgumentException(right + " is no right of a peer");
        };
    }

    // rule indirect-rights
    @Test
    void aReceiveNeedsLocalWriteOfTheKeyAndOfItsPart() {
        MemoryRegion readOnly = ground.region(ground.b, AccessFlags.NONE);
        IndirectKey key = ground.key(ground.b, KeyLayout.list(of(readOnly, 0, 8)));
        ground.b.qp().postReceive(Receive.of(1, key.slice(0, 8)));
        assertThat(ground.status(ground.a, Send.of(2, ground.a.slice(0, 8)))).isEqualTo(Status.REM_OP_ERR);
    }

    // rules indirect-rights, memory-domain
    @Test
    void aPartOfAnotherDomainIsDenied() {
        var domain = ground.b.context().allocatePd();
        MemoryRegion foreign = ground.world.await(domain.register(ground.b.memory(), 0, 8, ALL));
        IndirectKey key = ground.key(ground.b, KeyLayout.list(of(foreign, 0, 8)));
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule indirect-rights
    @Test
    void bytesBeyondThePartOrTheKeyAreDenied() {
        MemoryRegion small = ground.world.await(ground.b.domain().register(ground.b.memory(), 0, 8, ALL));
        IndirectKey key = ground.key(ground.b, KeyLayout.list(of(small, 0, 16)));
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.SUCCESS);
        ground.a.memory().write(0, pattern(9));
        assertThat(ground.status(ground.a, RdmaWrite.of(2, ground.a.slice(0, 9), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(ground.b.memory().read(0, 16)).containsOnly(0);
    }

    // rule indirect-atomic
    @Test
    void anAtomicChangesAnAlignedWordThroughTheKey() {
        IndirectKey key = ground.key(ground.b, KeyLayout.list(ground.b.slice(32, 8), ground.b.slice(8, 8)));
        ground.b.memory().writeLong(8, 40);
        assertThat(ground.status(ground.a, FetchAdd.of(1, ground.a.slice(0, 8), key.remote(8), 2)))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, CompareAndSwap.of(2, ground.a.slice(0, 8), key.remote(8), 42, 7)))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.b.memory().readLong(8)).isEqualTo(7);
    }

    // rule indirect-atomic
    @Test
    void anAtomicOnAWordOfTwoPiecesIsAnAccessError() {
        IndirectKey key = ground.key(ground.b, KeyLayout.list(ground.b.slice(0, 4), ground.b.slice(4, 4)));
        assertThat(ground.status(ground.a, FetchAdd.of(1, ground.a.slice(0, 8), key.remote(0), 2)))
                .isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(ground.b.memory().readLong(0)).isZero();
    }

    // rules memory-depth, indirect-translation
    @Test
    void nestedKeysAreFollowedUpToTheAdaptersDepth() {
        IndirectKey key = ground.key(ground.b, KeyLayout.list(ground.b.slice(100, 8)));
        int depth = ground.b.adapter().profile().indirectKeys().maxDepth();
        for (int i = 1; i < depth; i++) {
            key = ground.key(ground.b, KeyLayout.list(key.slice(1, (int) 8 - i)));
        }
        ground.a.memory().write(0, pattern(5));
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 5), key.remote(0))))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.b.memory().read(100 + depth - 1, 5)).isEqualTo(pattern(5));
        IndirectKey tooDeep = ground.key(ground.b, KeyLayout.list(key.slice(0, 5)));
        assertThat(ground.status(ground.a, RdmaWrite.of(2, ground.a.slice(0, 5), tooDeep.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule memory-depth
    @Test
    void aKeyThatContainsItselfIsRefused() {
        IndirectKey key = ground.key(ground.b);
        assertThat(ground.fill(ground.b, key, KeyLayout.list(key.slice(0, 8)))).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
        ground.world.await(key.closeAsync());
    }

    // rule indirect-parts
    @Test
    void aWindowCantBeAPart() {
        MemoryRegion region = ground.region(ground.b, AccessFlags.of(Access.LOCAL_WRITE, Access.MW_BIND));
        MemoryWindow window = ground.world.await(ground.b.domain().allocateWindow(WindowType.TYPE_2));
        BindWindow bind = BindWindow.of(
                1, window, WindowBinding.of(region, region.address(), 64).withAccess(Access.REMOTE_WRITE));
        assertThat(ground.status(ground.b, bind)).isEqualTo(Status.SUCCESS);
        IndirectKey key = ground.key(ground.b, KeyLayout.list(new LocalSlice(window.rkey(), region.address(), 8)));
        assertThat(ground.status(ground.a, RdmaWrite.of(2, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule indirect-parts-gone
    @Test
    void aDeregisteredPartDisablesTheKeyUntilItIsRefilled() {
        MemoryRegion part = ground.region(ground.b, ALL);
        IndirectKey key = ground.key(ground.b, KeyLayout.list(of(part, 0, 8), ground.b.slice(8, 8)));
        RcWork write = RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(8));
        assertThat(ground.status(ground.a, write)).isEqualTo(Status.SUCCESS);
        ground.world.await(part.deregister());
        assertThat(ground.fill(ground.b, key, KeyLayout.list(ground.b.slice(0, 16))))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, write)).isEqualTo(Status.SUCCESS);
        MemoryRegion other = ground.region(ground.b, ALL);
        ground.fill(ground.b, key, KeyLayout.list(of(other, 0, 8), ground.b.slice(8, 8)));
        ground.world.await(other.deregister());
        assertThat(ground.status(ground.a, write)).isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rules indirect-parts-gone, memory-deregister
    @Test
    void aSendFromADeregisteredPartIsAProtectionError() {
        MemoryRegion part = ground.region(ground.a, ALL);
        IndirectKey key = ground.key(ground.a, KeyLayout.list(of(part, 0, 8)));
        ground.world.await(part.deregister());
        assertThat(ground.status(ground.a, RdmaWrite.of(1, key.slice(0, 8), ground.b.remote(0))))
                .isEqualTo(Status.LOC_PROT_ERR);
    }

    // rule memory-touched-bytes
    @Test
    void zeroBytesAreSentThroughAnUnfilledKey() {
        IndirectKey key = ground.key(ground.a);
        ground.b.qp().postReceive(Receive.of(1, ground.b.slice(0, 8)));
        assertThat(ground.status(ground.a, Send.of(2, key.slice(0, 0)))).isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.a, RdmaWrite.of(3, ground.a.slice(0, 0), key.remote(0))))
                .isEqualTo(Status.SUCCESS);
    }
}
