// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.pair.Binds;

/**
 * Setup for tests of memory windows: two connected queue pairs of one domain, and one region of six pages for windows, of which
 * the middle four are registered a second time.
 */
final class Windows implements AutoCloseable {
    static final AccessFlags REMOTE = AccessFlags.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    static final AccessFlags ALL = AccessFlags.of(
            Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC, Access.MW_BIND);

    final Ground ground;
    final DeviceContext context;
    final ProtectionDomain domain;
    final CompletionQueue localCq;
    final CompletionQueue remoteCq;
    final HostMemory memory;
    final MemoryRegion region;

    /** The queue pair that reads and writes. */
    final RcQueuePair local;

    /** The queue pair that binds. */
    final RcQueuePair remote;

    Windows() {
        this(Profile.CONNECTX_5);
    }

    Windows(Profile profile) {
        ground = new Ground(Wiring.LOOPBACK, 31, profile);
        context = ground.a().process("app").open();
        domain = context.allocatePd();
        localCq = ground.await(context.createCq(1000));
        remoteCq = ground.await(context.createCq(1000));
        memory = ground.a().process("app").allocate(6 * PAGE);
        region = register(domain, ALL);
        QpPair<RcQueuePair> pair = pair();
        local = pair.local();
        remote = pair.remote();
    }

    /** Returns another pair. */
    QpPair<RcQueuePair> pair() {
        return ground.await(QpPair.connectRc(
                domain,
                QpDescription.rc().withSendCq(localCq),
                domain,
                QpDescription.rc().withSendCq(remoteCq),
                Ground.SHAPE.attributes()));
    }

    MemoryRegion register(ProtectionDomain owner, AccessFlags rights) {
        return ground.await(owner.register(Registration.of(memory).withAccess(rights)));
    }

    MemoryWindow allocate(WindowType type) {
        return ground.await(domain.allocateWindow(type));
    }

    WindowBinding whole() {
        return WindowBinding.of(region).withAccess(REMOTE);
    }

    WindowBinding part(long offset, long lengthBytes) {
        return WindowBinding.of(region, region.address() + offset, lengthBytes).withAccess(REMOTE);
    }

    WorkCompletion bind(RcQueuePair qp, MemoryWindow window, WindowBinding binding) {
        return ground.await(Binds.submit(qp, 1, window, binding));
    }

    /** Returns a window bound successfully on the binding queue pair. */
    MemoryWindow bound(WindowType type, WindowBinding binding) {
        MemoryWindow window = allocate(type);
        WorkCompletion done = bind(remote, window, binding);
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(done.kind()).isEqualTo(CompletionKind.BIND_MW);
        return window;
    }

    MemoryWindow bound(WindowType type) {
        return bound(type, whole());
    }

    LocalSlice ours(int lengthBytes) {
        return region.slice(0, lengthBytes);
    }

    /** Returns the status of a request on the queue pair whose peer binds. */
    Status status(Verb verb, RemoteAddress at) {
        return status(local, verb, at, 64);
    }

    Status status(RcQueuePair qp, Verb verb, RemoteAddress at, int lengthBytes) {
        return ground.await(qp.submit(verb.work(2, ours(lengthBytes), at))).status();
    }

    /** Returns the window's first byte, unless it is zero-based. */
    RemoteAddress first(MemoryWindow window) {
        return window.remote(region.address());
    }

    @Override
    public void close() {
        ground.close();
    }
}
