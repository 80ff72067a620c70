// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.HostProcess;
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
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/** A process of root on one adapter, which creates memory of every kind. */
final class MemoryHost {
    static final String PROCESS = "app";
    static final int INLINE_ENTRIES = 4;
    private static final AccessFlags REMOTE = AccessFlags.LOCAL_AND_REMOTE;
    private static final AccessFlags ALL = AccessFlags.of(Access.values());
    private static final long FIXED = 0x7F10_0000_0000L;
    private static final int STRIPE = 256;

    final World world;
    final Adapter adapter;
    final HostProcess process;
    final ProtectionDomain domain;
    final Side side;
    private Optional<QpPair<RcQueuePair>> tool = Optional.empty();

    MemoryHost(World world, Adapter adapter) {
        this.world = world;
        this.adapter = adapter;
        process = adapter.process(PROCESS, Credentials.ROOT);
        domain = process.open().allocatePd();
        side = Side.within(world.network(), domain, Long.BYTES);
    }

    <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    private MemoryRegion registered(Registration requested, AccessFlags rights) {
        return await(domain.register(requested.withAccess(rights)));
    }

    private KeyedMemory keyed(HostMemory memory, Registration requested) {
        MemoryRegion region = registered(requested, ALL);
        return KeyedMemory.of(memory, region, region.address());
    }

    KeyedMemory mapped(UnaryOperator<Registration> as) {
        HostMemory memory = process.allocate(KeyedMemory.BYTES);
        return keyed(memory, as.apply(Registration.of(memory)));
    }

    KeyedMemory huge(UnaryOperator<Registration> as) {
        HostMemory memory = process.allocateHuge(KeyedMemory.BYTES);
        return keyed(memory, as.apply(Registration.of(memory)));
    }

    KeyedMemory addresses() {
        HostMemory memory = process.allocate(KeyedMemory.BYTES);
        return keyed(
                memory,
                Registration.addresses(memory.address(), KeyedMemory.BYTES).withOnDemandPaging());
    }

    KeyedMemory everything() {
        HostMemory memory = process.allocate(KeyedMemory.BYTES);
        return KeyedMemory.of(
                memory, registered(Registration.wholeAddressSpace().withOnDemandPaging(), ALL), memory.address());
    }

    KeyedMemory allocated() {
        MemoryRegion region = registered(Registration.allocated(KeyedMemory.BYTES), ALL);
        return KeyedMemory.of(region.memory(), region, region.address());
    }

    KeyedMemory allocatedAt() {
        MemoryRegion region = registered(Registration.allocatedAt(FIXED, KeyedMemory.BYTES), ALL);
        return KeyedMemory.of(region.memory(), region, region.address());
    }

    KeyedMemory shared() {
        ProtectionDomain maker =
                adapter.process("maker", Credentials.DEFAULT).open().allocatePd();
        MemoryRegion made = await(maker.register(Registration.allocated(KeyedMemory.BYTES)
                .withSharing(Permission.OTHER_READ, Permission.OTHER_WRITE)
                .withAccess(Access.LOCAL_WRITE)));
        MemoryRegion region = await(domain.registerShared(made.handle(), ALL));
        return KeyedMemory.of(region.memory(), region, region.address());
    }

    KeyedMemory physical(boolean range) {
        HostMemory memory = process.allocate(KeyedMemory.BYTES);
        Registration requested =
                range ? Registration.physical(memory.busAddress(), KeyedMemory.BYTES) : Registration.physical();
        return KeyedMemory.of(memory, registered(requested, REMOTE), memory.busAddress());
    }

    KeyedMemory peer() {
        HostMemory memory = process.allocatePeer(KeyedMemory.BYTES);
        return keyed(memory, Registration.of(memory));
    }

    KeyedMemory nothing() {
        MemoryRegion region = await(domain.allocateNullMr());
        return new KeyedMemory(Optional.empty(), Optional.of(region), region.lkey(), 0, 0);
    }

    /** Creates an indirect key of consecutive slices, or of two interleaved ones. */
    KeyedMemory indirect(boolean interleaved) {
        KeyedMemory behind = mapped(memory -> memory);
        IndirectKey key = await(domain.createIndirectKey(IndirectKeyDescription.of(INLINE_ENTRIES)));
        succeeds(tool().submit(FillKey.of(0, key, interleaved ? stripes(behind) : slices(behind, KeyedMemory.BYTES))
                .withAccess(REMOTE)));
        return new KeyedMemory(behind.memory(), Optional.empty(), key.lkey(), 0, interleaved ? STRIPE : 0);
    }

    private static KeyLayout stripes(KeyedMemory behind) {
        return KeyLayout.interleaved(
                KeyedMemory.BYTES / (2 * STRIPE),
                new StridedSlice(behind.key(), behind.first() + STRIPE, STRIPE, STRIPE),
                new StridedSlice(behind.key(), behind.first(), STRIPE, STRIPE));
    }

    /** Returns the minimum number of slices with 16-bit lengths; an empty slice if there are no bytes. */
    private static KeyLayout slices(KeyedMemory behind, int bytes) {
        List<LocalSlice> all = new ArrayList<>();
        int each = 1 << 15;
        for (int at = 0; at == 0 || at < bytes; at += each) {
            all.add(behind.slice(at, Math.min(each, bytes - at)));
        }
        return KeyLayout.list(all);
    }

    /**
     * Creates a window.
     *
     * @param end queue pair that binds type 2 windows
     */
    KeyedMemory window(WindowType type, boolean zeroBased, BoundEnd end) {
        KeyedMemory behind = mapped(memory -> memory);
        MemoryWindow window = await(domain.allocateWindow(type));
        WindowBinding all = WindowBinding.of(behind.region().orElseThrow()).withAccess(REMOTE);
        if (type == WindowType.TYPE_1) {
            succeeds(tool().submitBind(0, window, all));
        } else {
            end.carriesOut(BindWindow.of(0, window, zeroBased ? all.withZeroBased() : all));
        }
        return new KeyedMemory(behind.memory(), Optional.empty(), window.rkey(), zeroBased ? 0 : behind.first(), 0);
    }

    /** Returns a queue pair for binds and fills. */
    private RcQueuePair tool() {
        QpPair<RcQueuePair> pair = tool.orElseGet(() -> await(QpPair.connectRc(
                domain,
                adapter.profile().indirectKeys().isSupported()
                        ? QpDescription.rc().withKeyFilling(INLINE_ENTRIES)
                        : QpDescription.rc(),
                domain,
                QpDescription.rc())));
        tool = Optional.of(pair);
        return pair.local();
    }

    private void succeeds(CompletionStage<WorkCompletion> change) {
        WorkCompletion done = await(change);
        if (!done.isSuccess()) {
            throw new AssertionError(done + " failed");
        }
    }
}
