// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Extended reliable connected transport: the processes of a host share the target that a peer connects to. */
class ProcessesShareTest {
    @Test
    void aProcessIsReachedThroughWhatAnotherMade() {
        try (World world = World.of(42)) {
            Adapter a = world.adapter("a");
            Adapter b = world.adapter("b");
            ProtectionDomain here = a.process("app").open().allocatePd();
            MemoryRegion letter = world.await(here.register(a.process("app").allocate(4096), LOCAL_WRITE));
            ProtectionDomain theirs = b.process("archive").open().allocatePd();
            MemoryRegion inbox =
                    world.await(theirs.register(b.process("archive").allocate(4096), LOCAL_WRITE));
            // docs begin
            XrcDomainDescription file = XrcDomainDescription.of("/run/shared");
            DeviceContext store = b.process("store").open();
            XrcTarget target =
                    world.await(world.await(store.openXrcDomain(file)).createTarget());
            XrcQueuePair initiator = world.await(here.createQp(QpDescription.xrc()));
            world.await(target.connect(initiator.gid(), initiator.number(), RcConnection.DEFAULT));
            world.await(initiator.connect(target.gid(), target.number(), RcConnection.DEFAULT));

            DeviceContext archive = theirs.context(); // another process, which has the same domain
            XrcDomain domain = world.await(archive.openXrcDomain(file));
            CompletionQueue arrivals = world.await(archive.createCq(16));
            SharedReceiveQueue queue = world.await(theirs.createSrq(SrqDescription.DEFAULT.withXrc(domain, arrivals)));
            queue.postReceive(Receive.of(7, inbox.slice(0, 64)));
            WorkCompletion sent = world.await(initiator.submit(queue.number(), Send.of(1, letter.slice(0, 64))));
            // docs end
            assertThat(sent.isSuccess()).isTrue();
            assertThat(world.await(arrivals.poll(1)).getFirst().workId()).isEqualTo(7);
        }
    }
}
