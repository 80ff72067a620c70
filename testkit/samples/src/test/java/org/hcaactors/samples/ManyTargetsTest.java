// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.client.pool.DciPolicy;
import org.hcaactors.client.pool.DciPool;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Dynamically connected transport: two initiators reach five targets. */
class ManyTargetsTest {
    private static DcTarget target(World world, Adapter adapter) {
        DeviceContext context = adapter.process("app").open();
        ProtectionDomain domain = context.allocatePd();
        MemoryRegion inbox = world.await(domain.register(adapter.process("app").allocate(4096), LOCAL_WRITE));
        SharedReceiveQueue receives = world.await(domain.createSrq(16));
        receives.postReceive(Receive.of(7, inbox.slice(0, 64)));
        DcTarget target = world.await(domain.createDcTarget(
                DcTargetDescription.of(world.await(context.createCq(16)), receives, DcAccessKey.of(0xCAFE))));
        world.await(target.open(RcConnection.DEFAULT));
        return target;
    }

    @Test
    void anInitiatorConnectsWhereverARequestGoes() {
        try (World world = World.of(42)) {
            DcTarget elsewhere = target(world, world.adapter("c"));
            Adapter a = world.adapter("a");
            ProtectionDomain here = a.process("app").open().allocatePd();
            MemoryRegion letter = world.await(here.register(a.process("app").allocate(4096), LOCAL_WRITE));
            AddressHandle there = world.await(here.createAddressHandle(AddressVector.to(elsewhere.gid())));
            DcAddress other = DcAddress.of(there, elsewhere.number(), elsewhere.accessKey());
            Adapter b = world.adapter("b");
            ProtectionDomain theirs = b.process("app").open().allocatePd();
            MemoryRegion inbox = world.await(theirs.register(b.process("app").allocate(4096), LOCAL_WRITE));
            // docs begin
            CompletionQueue cq = world.await(theirs.context().createCq(16));
            SharedReceiveQueue receives = world.await(theirs.createSrq(16));
            DcTarget target =
                    world.await(theirs.createDcTarget(DcTargetDescription.of(cq, receives, DcAccessKey.of(0xCAFE))));
            world.await(target.open(RcConnection.DEFAULT)); // to RTR; from here on it has its number()
            receives.postReceive(Receive.of(7, inbox.slice(0, 64)));

            DcInitiator asks = world.await(here.createQp(QpDescription.dc()));
            world.await(asks.open(RcConnection.DEFAULT)); // to RTS; it is not connected yet
            AddressHandle path = world.await(here.createAddressHandle(AddressVector.to(target.gid())));
            DcAddress one = DcAddress.of(path, target.number(), target.accessKey());
            WorkCompletion first = world.await(asks.submit(one, Send.of(1, letter.slice(0, 64)))); // connects
            WorkCompletion second =
                    world.await(asks.submit(other, Send.of(2, letter.slice(0, 64)))); // leaves, connects there
            // docs end
            assertThat(List.of(first, second)).allMatch(WorkCompletion::isSuccess);
            assertThat(world.await(cq.poll(1)).getFirst().workId()).isEqualTo(7);
        }
    }

    @Test
    void aPoolOfTwoReachesFiveTargets() {
        try (World world = World.of(42)) {
            List<DcTarget> targets = new ArrayList<>();
            for (int number = 0; number < 5; number++) {
                targets.add(target(world, world.adapter("b" + number)));
            }
            Adapter a = world.adapter("a");
            ProtectionDomain here = a.process("app").open().allocatePd();
            MemoryRegion letter = world.await(here.register(a.process("app").allocate(4096), LOCAL_WRITE));
            List<WorkCompletion> sent = new ArrayList<>();
            // docs begin
            DciPoolDescription two =
                    DciPoolDescription.DEFAULT.withInitiators(2).withPolicy(new DciPolicy.Quota(32));
            DciPool pool = world.await(DciPool.create(here, two));
            for (DcTarget target : targets) {
                AddressHandle path = world.await(here.createAddressHandle(AddressVector.to(target.gid())));
                DcAddress to = DcAddress.of(path, target.number(), target.accessKey());
                pool.submit(to, Send.of(1, letter.slice(0, 64))).thenAccept(sent::add);
            }
            world.await(pool.closeAsync()); // when all of them are answered
            // docs end
            assertThat(sent).hasSize(5).allMatch(WorkCompletion::isSuccess);
            assertThat(pool.statistics().posted()).isEqualTo(5);
        }
    }
}
