// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
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
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.World;

/** DC targets on some nodes, and initiators that send to them. */
final class DcSetup {
    static final int MEMORY = 1 << 16;
    static final long KEY = 0x1122_3344_5566_7788L;

    final World world;

    DcSetup(World world) {
        this.world = world;
    }

    /** Objects that initiators and targets need on a node. */
    class Member {
        final Adapter node;
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final CompletionQueue completions;

        Member(Adapter node, String process) {
            this.node = node;
            var owner = node.process(process);
            context = owner.open();
            domain = context.allocatePd();
            memory = owner.allocate(MEMORY);
            region = await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            completions = await(context.createCq(256));
        }

        LocalSlice slice(long offset, int length) {
            return region.slice(offset, length);
        }

        RemoteAddress remote(long offset) {
            return region.remote(offset);
        }

        WorkCompletion polled() {
            return await(completions.poll(1)).getFirst();
        }
    }

    /** A node with a DC target. */
    final class TargetSide extends Member {
        final SharedReceiveQueue queue;
        final DcTarget target;

        TargetSide(Adapter node, UnaryOperator<DcTargetDescription> attributes) {
            super(node, "asked");
            queue = await(domain.createSrq(SrqDescription.DEFAULT));
            target = await(domain.createDcTarget(
                    attributes.apply(DcTargetDescription.of(completions, queue, DcAccessKey.of(KEY)))));
        }

        void receive(long id, int length) {
            queue.postReceive(Receive.of(id, slice(id * 1024, length)));
        }
    }

    /** Returns an open target on that node. */
    TargetSide asked(Adapter node) {
        return asked(node, attributes -> attributes);
    }

    TargetSide asked(Adapter node, UnaryOperator<DcTargetDescription> attributes) {
        TargetSide made = new TargetSide(node, attributes);
        await(made.target.open(RcConnection.DEFAULT));
        return made;
    }

    /** A node with a DC initiator. */
    final class InitiatorSide extends Member {
        final DcInitiator initiator;

        InitiatorSide(Adapter node, QpDescription<DcInitiator> description) {
            super(node, "asker");
            initiator =
                    await(domain.createQp(description.withSendCq(completions).withCapacity(QpCapacity.of(64))));
        }

        DcAddress to(TargetSide asked) {
            return to(asked, KEY);
        }

        DcAddress to(TargetSide asked, long key) {
            AddressHandle path = await(domain.createAddressHandle(AddressVector.to(asked.target.gid())));
            return DcAddress.of(path, asked.target.number(), DcAccessKey.of(key));
        }

        <T> T await(CompletionStage<T> stage) {
            return world.await(stage);
        }

        WorkCompletion submit(DcAddress to, RcWork work) {
            return await(initiator.submit(to, work));
        }
    }

    InitiatorSide initiator(Adapter node) {
        return initiator(node, QpDescription.dc(), RcConnection.DEFAULT);
    }

    InitiatorSide initiator(Adapter node, QpDescription<DcInitiator> description, RcConnection attributes) {
        InitiatorSide made = new InitiatorSide(node, description);
        await(made.initiator.open(attributes));
        return made;
    }

    <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }
}
