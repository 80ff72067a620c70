// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** A long message matches a receive by its tag, and the receiver's adapter fetches the data. */
class MessagesByTagTest {
    private static final int MIB = 1 << 20;

    private static MemoryRegion memory(World world, ProtectionDomain domain) {
        return world.await(domain.register(
                Registration.of(domain.context().process().allocate(MIB)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    @Test
    void aLongMessageIsFetchedWhileTheProgramDoesSomethingElse() {
        try (World world = World.of(42)) {
            Adapter a = world.adapter("a");
            Adapter b = world.adapter("b");
            ProtectionDomain ours = a.process("app").open().allocatePd();
            ProtectionDomain theirs = b.process("app").open().allocatePd();
            MemoryRegion letter = memory(world, ours);
            MemoryRegion desk = memory(world, theirs);
            // docs begin
            TagEndpoint outbox = world.await(TagEndpoint.open(ours, TagEndpointDescription.DEFAULT));
            TagEndpoint inbox = world.await(TagEndpoint.open(theirs, TagEndpointDescription.DEFAULT));
            TagPeer there = world.await(outbox.addPeer());
            TagPeer here = world.await(inbox.addPeer());
            world.await(here.connect(there.gid(), there.number(), RcConnection.DEFAULT));
            world.await(there.connect(here.gid(), here.number(), RcConnection.DEFAULT));

            TagReceive any = inbox.receive(0x700, 0xF00, TagBuffer.of(desk)); // of any tag 0x7..
            CompletionStage<Void> sent = there.send(0x742, TagBuffer.of(letter)); // says where its data are
            TagArrival got = world.await(any.arrival()); // FETCHED by the adapter, without the program
            world.await(sent); // the letter's buffer may be reused
            // docs end
            assertThat(got).isEqualTo(TagArrival.of(0x742, MIB, TagArrival.DeliveryPath.FETCHED));
        }
    }
}
