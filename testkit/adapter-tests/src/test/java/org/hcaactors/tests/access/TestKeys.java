// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.Binds;
import org.hcaactors.lab.world.World;

/** Creates keys of every kind over the middle of one memory. */
final class TestKeys {
    private static final int PAGE = 4096;

    private final World world;
    private final ProtectionDomain domain;
    private final HostMemory memory;

    /** Queue pair that binds and fills. */
    private final RcQueuePair qp;

    private final long offset;
    private final int length;

    TestKeys(World world, ProtectionDomain domain, HostMemory memory, RcQueuePair qp, long offset, int length) {
        this.world = world;
        this.domain = domain;
        this.memory = memory;
        this.qp = qp;
        this.offset = offset;
        this.length = length;
    }

    TestKey make(KeyKind kind, AccessFlags rights) {
        return switch (kind) {
            case REGION -> of(region(part().withAccess(rights)));
            case REGION_ELSEWHERE ->
                of(region(part().withAddress(0x7000_0000L + (memory.address() + offset) % PAGE)
                        .withAccess(rights)));
            case ZERO_BASED_REGION -> of(region(part().withZeroBased().withAccess(rights)));
            case PHYSICAL_REGION ->
                of(region(Registration.physical(memory.busAddress() + offset, length)
                        .withAccess(rights)));
            case WINDOW_1 -> window(WindowType.TYPE_1, rights);
            case WINDOW_2 -> window(WindowType.TYPE_2, rights);
            case LIST -> list(rights);
            case INTERLEAVED -> interleaved(rights);
            case NESTED -> nested(rights);
        };
    }

    private Registration part() {
        return Registration.of(memory).withRange(offset, length);
    }

    private MemoryRegion region(Registration requested) {
        return world.await(domain.register(requested));
    }

    private static TestKey of(MemoryRegion region) {
        return new TestKey(region.rkey(), region.address(), region::deregister);
    }

    /** Registers all of the memory with every right. */
    private MemoryRegion whole() {
        AccessFlags all = AccessFlags.of(Access.values());
        return region(Registration.of(memory).withAccess(all));
    }

    private void done(RcWork work) {
        assertThat(world.await(qp.submit(work)).status()).isEqualTo(Status.SUCCESS);
    }

    private TestKey window(WindowType type, AccessFlags rights) {
        MemoryRegion whole = whole();
        MemoryWindow window = world.await(domain.allocateWindow(type));
        long address = whole.address() + offset;
        WindowBinding part = WindowBinding.of(whole, address, length).withAccess(rights);
        assertThat(world.await(Binds.submit(qp, 1, window, part)).status()).isEqualTo(Status.SUCCESS);
        return new TestKey(
                window.rkey(),
                address,
                () -> type == WindowType.TYPE_1
                        ? qp.submitBind(2, window, WindowBinding.NOTHING)
                        : qp.submit(LocalInvalidate.of(2, window.rkey())));
    }

    private IndirectKey filled(KeyLayout layout, AccessFlags rights) {
        IndirectKey key = world.await(domain.createIndirectKey(IndirectKeyDescription.of(4)));
        done(FillKey.of(1, key, layout).withAccess(rights));
        return key;
    }

    private TestKey of(IndirectKey key) {
        return new TestKey(key.rkey(), 0, () -> qp.submit(LocalInvalidate.of(2, key.lkey())));
    }

    /** Returns a layout of the two halves in exchanged order. */
    private KeyLayout halves(MemoryRegion whole) {
        LocalSlice first = whole.slice(offset, length / 2);
        LocalSlice second = whole.slice(offset + length / 2, length / 2);
        return KeyLayout.list(second, first);
    }

    private TestKey list(AccessFlags rights) {
        return of(filled(halves(whole()), rights));
    }

    /** Creates a key with every other block of 64 bytes, followed by those between them. */
    private TestKey interleaved(AccessFlags rights) {
        MemoryRegion whole = whole();
        long first = whole.address() + offset;
        int step = 64;
        return of(filled(
                KeyLayout.interleaved(
                        length / (2 * step),
                        new StridedSlice(whole.lkey(), first + step, step, step),
                        new StridedSlice(whole.lkey(), first, step, step)),
                rights));
    }

    private TestKey nested(AccessFlags rights) {
        IndirectKey inner = filled(halves(whole()), AccessFlags.LOCAL_AND_REMOTE);
        return of(filled(KeyLayout.list(inner.slice(length / 2, length / 2), inner.slice(0, length / 2)), rights));
    }
}
