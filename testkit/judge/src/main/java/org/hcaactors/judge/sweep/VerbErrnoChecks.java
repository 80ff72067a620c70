// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.lab.world.World;

/**
 * Processes that check the documented errnos: an object in use is busy, a foreign or closed one can't be used, and after
 * everything is closed in order, nothing is left.
 */
final class VerbErrnoChecks implements Workload {
    private static final int ONE_IN = 3;
    private static final int PLACES = 7;
    private static final int QKEY = 0x5EED;
    private static final LocalSlice NOTHING_NOWHERE = new LocalSlice(0, 0xDEAD_0000L, 0);

    private final World world;
    private final SweepContext sweep;
    private final SplittableRandom random;
    private int number;

    VerbErrnoChecks(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("tidy processes");
    }

    @Override
    public void step() {
        if (random.nextInt(ONE_IN) > 0) {
            return;
        }
        SweepNode site = random.nextBoolean() ? sweep.a() : sweep.b();
        HostProcess process = site.adapter.process("tidy " + ++number);
        try {
            live(process);
        } catch (VerbsException refused) {
            // A part crashed, or lost its process; the process ends in any state.
            sweep.promises().verb("exit of " + process.name(), process.exit(), Errno.EINVAL);
            if (sweep.severity() != FaultSeverity.DISASTER) {
                throw new AssertionError(process.name() + ": " + refused, refused);
            }
        }
    }

    private void live(HostProcess process) {
        DeviceContext context = process.open();
        ProtectionDomain domain = context.allocatePd();
        HostMemory memory = process.allocate(1 + random.nextInt(8192));
        MemoryRegion region =
                world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        refused(Errno.EBUSY, "memory under a region is unmapped", memory::closeAsync);
        if (random.nextBoolean()) {
            connected(context, domain);
        }
        if (random.nextBoolean()) {
            guarded(domain, region);
        }
        if (random.nextBoolean()) {
            recycled(context, domain, region);
        }
        if (random.nextBoolean()) {
            foreign(process, domain);
        }
        if (random.nextBoolean()) {
            datagrams(context, domain);
        }
        if (random.nextInt(4) == 0) {
            careless(context);
        }
        refused(Errno.EBUSY, "a domain with a region is closed", domain::closeAsync);
        world.await(region.deregister());
        world.await(memory.closeAsync());
        world.await(domain.closeAsync());
        refused(Errno.EINVAL, "something is created in a closed domain", () -> domain.createQp(QpDescription.ud()));
        leftNothing(context);
        world.await(context.closeAsync());
        refused(Errno.EINVAL, "something is created in a closed context", context::createChannel);
        if (!world.await(process.exit()).isEmpty()) {
            throw new AssertionError(process.name() + " closed all objects, but its exit report names leaks");
        }
        refused(
                Errno.EINVAL,
                "a process that exited opens an adapter",
                () -> process.open().closeAsync());
    }

    /** Checks a queue pair on queues of its own, each of which is busy until the queue pair is destroyed. */
    private void connected(DeviceContext context, ProtectionDomain domain) {
        CompletionChannel channel = world.await(context.createChannel());
        CompletionQueue queue = world.await(context.createCq(CqDescription.of(3).withChannel(channel)));
        SharedReceiveQueue shared =
                world.await(domain.createSrq(SrqDescription.of(4).withMaxSge(1)));
        RcQueuePair pair = world.await(domain.createQp(
                QpDescription.rc().withSendCq(queue).withRecvCq(queue).withSrq(shared)));
        refused(Errno.EBUSY, "a completion queue with a queue pair is destroyed", queue::destroy);
        refused(Errno.EBUSY, "a shared receive queue with a queue pair is destroyed", shared::destroy);
        refused(Errno.EBUSY, "a channel with a completion queue is destroyed", channel::destroy);
        refused(Errno.EBUSY, "a domain with a queue pair is closed", domain::closeAsync);
        closed(pair, shared, queue, channel);
        refused(
                Errno.EINVAL,
                "a destroyed completion queue is used",
                () -> domain.createQp(QpDescription.ud().withSendCq(queue)));
    }

    /** Checks that rights named in a refused modify are not granted. */
    private void guarded(ProtectionDomain domain, MemoryRegion region) {
        RcConnection closed = sweep.patient(random).withRemoteAccess(AccessFlags.NONE);
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(domain, domain, closed));
        refused(
                Errno.EINVAL,
                "a connected queue pair is initialized",
                () -> pair.remote()
                        .modify(closed.withRemoteAccess(AccessFlags.LOCAL_AND_REMOTE)
                                .toInit()));
        WorkCompletion written =
                world.await(pair.local().submit(RdmaWrite.of(1, region.slice(0, 1), region.remote(0))));
        if (written.isSuccess() && !world.faults().hasForged()) {
            throw new AssertionError("after a refused modify a queue pair without remote access executes a WRITE");
        }
        closed(pair.local(), pair.remote());
    }

    /**
     * Checks that unpolled completions are removed with their queue pair, and that the slots of the shared receive queue are
     * free.
     */
    private void recycled(DeviceContext context, ProtectionDomain domain, MemoryRegion region) {
        CompletionQueue unpolled = world.await(context.createCq(PLACES));
        SharedReceiveQueue shared =
                world.await(domain.createSrq(SrqDescription.of(PLACES).withMaxSge(1)));
        for (int i = 0; i < PLACES; i++) {
            shared.postReceive(Receive.of(i, region.slice(0, 1)));
        }
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                domain,
                QpDescription.rc(),
                domain,
                QpDescription.rc().withRecvCq(unpolled).withSrq(shared),
                sweep.patient(random)));
        for (int i = 1 + random.nextInt(PLACES); i > 0; i--) {
            world.await(pair.local().submit(Send.of(i, region.slice(0, 1))));
        }
        world.await(pair.remote().destroy());
        closed(pair.local());
        world.settle();
        for (int i = world.await(shared.query()).posted(); i < PLACES; i++) {
            if (!hasPlace(shared, i, region)) {
                break;
            }
        }
        closed(shared, unpolled);
    }

    /**
     * True if the shared receive queue accepts a receive. The first part of a forged message holds a receive, and its slot is
     * lost with the queue pair (IBA 10.2.9.5).
     */
    private boolean hasPlace(SharedReceiveQueue shared, int id, MemoryRegion region) {
        try {
            shared.postReceive(Receive.of(id, region.slice(0, 1)));
            return true;
        } catch (VerbsException full) {
            if (!world.faults().hasForged()) {
                throw full;
            }
            return false;
        }
    }

    private void foreign(HostProcess process, ProtectionDomain domain) {
        DeviceContext abroad = process.open();
        CompletionQueue foreign = world.await(abroad.createCq(1));
        refused(
                Errno.EINVAL,
                "a completion queue of another context is used",
                () -> domain.createQp(QpDescription.rc().withSendCq(foreign)));
        closed(foreign);
        world.await(abroad.closeAsync());
    }

    /**
     * Checks that the default completion queue is destroyed with its queue pair. An empty scatter/gather element has an invalid
     * address, which has no effect.
     */
    private void datagrams(DeviceContext context, ProtectionDomain domain) {
        int before = context.openObjects().leaks().size();
        UdQueuePair from = world.await(domain.createQp(QpDescription.ud()));
        world.await(from.activate(QKey.of(QKEY)));
        AddressHandle path = world.await(
                domain.createAddressHandle(AddressVector.to(sweep.b().adapter.gid())));
        UdAddress to = UdAddress.of(path, UdAddress.MULTICAST - 1, QKey.of(QKEY));
        WorkCompletion sent = world.await(from.submit(to, empty()));
        if (!sent.isSuccess() && sweep.severity() != FaultSeverity.DISASTER) {
            throw new AssertionError("an empty datagram ended with " + sent.status());
        }
        closed(path);
        refused(Errno.EINVAL, "a destroyed address handle is used", () -> from.submit(to, empty()));
        closed(from);
        world.settle();
        int left = context.openObjects().leaks().size() - before;
        if (left != 0) {
            throw new AssertionError(
                    "a queue pair and an address handle were destroyed, but " + left + " objects are still open");
        }
    }

    private static Send empty() {
        return Send.of(1, List.of(NOTHING_NOWHERE)).withFlags(SendFlags.NONE.withInline());
    }

    /** Checks that a null argument is refused as in Java, and has no lasting effect. */
    @SuppressWarnings("NullAway") // null on purpose
    private void careless(DeviceContext context) {
        try {
            world.await(context.createCq(null)); // or an unusable object refuses the call first
        } catch (NullPointerException thrown) {
            return;
        }
        throw new AssertionError("a completion queue was created without a description");
    }

    private void closed(Handle... handles) {
        for (Handle handle : handles) {
            world.await(handle.closeAsync());
        }
    }

    private void leftNothing(DeviceContext context) {
        world.settle(); // default queues are destroyed after their queue pairs
        if (!context.openObjects().isEmpty()) {
            throw new AssertionError("all objects were closed, but the context still has " + context.openObjects());
        }
    }

    /** Calls a verb that must be refused; throws AssertionError if it succeeds. After a disaster the errno may differ. */
    private void refused(Errno errno, String what, Supplier<CompletionStage<?>> verb) {
        try {
            world.await(verb.get());
        } catch (VerbsException refused) {
            if (refused.errno() == errno || sweep.severity() == FaultSeverity.DISASTER) {
                return;
            }
            throw new AssertionError(what + ": refused with the wrong errno: " + refused, refused);
        } catch (CompletionException wrapped) {
            throw new AssertionError(
                    what + ": failed with an exception that is no refusal: " + wrapped.getCause(), wrapped);
        }
        throw new AssertionError(what + ": not refused with " + errno);
    }
}
