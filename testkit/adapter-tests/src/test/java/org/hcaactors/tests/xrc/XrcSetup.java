// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.xrc;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.World;

/** A node whose processes share an XRC domain, and a node that sends to it. */
final class XrcSetup {
    static final String FILE = "/run/jobs/17";
    static final int MEMORY = 1 << 16;

    final World world;
    final Adapter near;
    final Adapter far;

    XrcSetup(World world) {
        this.world = world;
        near = world.adapter("a");
        far = world.adapter("b");
    }

    /** A process of a node, with memory that every peer may use with the name of its queue. */
    final class Member {
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final CompletionQueue completions;
        final XrcDomain shared;
        final SharedReceiveQueue queue;

        Member(Adapter node, String process, XrcDomainDescription requested) {
            var owner = node.process(process);
            context = owner.open();
            domain = context.allocatePd();
            memory = owner.allocate(MEMORY);
            region = await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            completions = await(context.createCq(64));
            shared = await(context.openXrcDomain(requested));
            queue = await(domain.createSrq(SrqDescription.DEFAULT.withXrc(shared, completions)));
        }

        LocalSlice slice(long offset, int length) {
            return region.slice(offset, length);
        }

        RemoteAddress remote(long offset) {
            return region.remote(offset);
        }

        void receive(long id, int length) {
            queue.postReceive(Receive.of(id, slice(id * 1024, length)));
        }

        WorkCompletion polled() {
            return await(completions.poll(1)).getFirst();
        }
    }

    Member member(String process) {
        return new Member(far, process, XrcDomainDescription.of(FILE));
    }

    /** A process with an XRC initiator, and its target. */
    final class InitiatorSide {
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final XrcQueuePair pair;

        InitiatorSide(String process) {
            var owner = near.process(process);
            domain = owner.open().allocatePd();
            memory = owner.allocate(MEMORY);
            region = await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            pair = await(domain.createQp(QpDescription.xrc().withCapacity(QpCapacity.of(64))));
        }

        InitiatorSide to(XrcTarget target) {
            return to(target, RcConnection.DEFAULT);
        }

        InitiatorSide to(XrcTarget target, RcConnection attributes) {
            await(target.connect(pair.gid(), pair.number(), attributes.reversed()));
            await(pair.connect(target.gid(), target.number(), attributes));
            return this;
        }

        WorkCompletion submit(SharedReceiveQueue queue, RcWork work) {
            return await(pair.submit(queue.number(), work));
        }

        LocalSlice slice(long offset, int length) {
            return region.slice(offset, length);
        }
    }

    <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }
}
