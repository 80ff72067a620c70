// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;

/** One process of a round and its objects: counted when created, closed from the last to the first. */
final class SoakContext implements AutoCloseable {
    static final int MEMORY_BYTES = 8192;
    private static final int CQ_ENTRIES = 63;
    private static final QpCapacity CAPACITY = QpCapacity.of(16).withMaxSge(2).withMaxInlineBytes(64);

    private final WorkerEnvironment environment;
    private final Deque<Handle> open = new ArrayDeque<>();
    final Adapter adapter;
    final HostProcess process;
    final DeviceContext context;
    final ProtectionDomain domain;
    final HostMemory memory;
    final MemoryRegion region;
    final CompletionQueue cq;

    private SoakContext(WorkerEnvironment environment, Adapter adapter) {
        this.environment = environment;
        this.adapter = adapter;
        process = adapter.process("service-" + environment.tally().processes.incrementAndGet());
        context = opened(process.open());
        domain = opened(context.allocatePd());
        memory = opened(process.allocate(MEMORY_BYTES));
        region = made(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        cq = made(context.createCq(CQ_ENTRIES));
    }

    static SoakContext open(WorkerEnvironment environment, Adapter adapter) {
        return new SoakContext(environment, adapter);
    }

    /** Waits for the creation, and closes the object with the others. */
    <H extends Handle> H made(CompletionStage<H> creation) {
        return opened(environment.await(creation));
    }

    <H extends Handle> H opened(H handle) {
        environment.tally().objects.increment();
        open.push(handle);
        return handle;
    }

    /** Creates an address handle to the other port. */
    AddressHandle path(AddressVector to) {
        return made(domain.createAddressHandle(to));
    }

    <Q extends QueuePair> QpDescription<Q> described(QpDescription<Q> builder) {
        return builder.withSendCq(cq).withCapacity(CAPACITY);
    }

    /** Connects plain reliable queue pairs; each end is closed with its own context. */
    QpPair<RcQueuePair> connectedTo(SoakContext peer) {
        QpPair<RcQueuePair> pair = environment.await(QpPair.connectRc(
                domain, described(QpDescription.rc()), peer.domain, peer.described(QpDescription.rc())));
        opened(pair.local());
        peer.opened(pair.remote());
        return pair;
    }

    LocalSlice slice(long offset, int lengthBytes) {
        return region.slice(offset, lengthBytes);
    }

    RemoteAddress remote(long offset) {
        return region.remote(offset);
    }

    /** Reads a word of another region, including changes by the adapter. */
    long read(MemoryRegion of, long offset) {
        return of.memory().readLong(offset);
    }

    /** Closes one object now, and not again at the end. */
    void close(Handle handle) {
        open.remove(handle);
        environment.await(handle.closeAsync());
    }

    /** Closes everything in order; then the process exits, with nothing left open. */
    @Override
    public void close() {
        while (!open.isEmpty()) {
            environment.await(open.pop().closeAsync());
        }
        LeakReport left = environment.await(process.exit());
        WorkerEnvironment.check(
                left.isEmpty(), "after all handles were closed there must be no open objects; open: " + left);
    }

    /** Lets the process exit with objects open; nothing may remain. */
    void leave() {
        open.clear();
        environment.await(process.exit());
        checkThatNothingIsOpen();
    }

    /** Lets the process exit and the host close its objects. */
    void abandon() {
        open.clear();
        LeakReport left = environment.await(process.exit());
        WorkerEnvironment.check(
                !left.isEmpty(),
                "the exit report of a process must name the objects that it left open, but it is empty");
        checkThatNothingIsOpen();
    }

    private void checkThatNothingIsOpen() {
        WorkerEnvironment.check(
                context.openObjects().isEmpty(),
                "after the end of its process a context must have no open objects; open: " + context.openObjects());
    }
}
