// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/** Two endpoints for tagged messages: the left one sends, the right one receives. */
final class EndpointSetup {
    private static final int MEMORY = 1 << 20;

    private final World world;
    private final LinkProperties link;
    final Side left;
    final Side right;
    final TagEndpoint sends;
    final TagEndpoint takes;
    final TagPeer toTaker;

    EndpointSetup(World world, LinkProperties link) {
        this.world = world;
        this.link = link;
        left = side("left");
        right = side("right");
        sends = endpoint(left, TagEndpointDescription.DEFAULT);
        takes = endpoint(right, TagEndpointDescription.DEFAULT);
        toTaker = join(sends, takes);
    }

    Side side(String name) {
        return Side.of(world.network(), world.network().addAdapter(name, Profile.CONNECTX_5, link), "app", MEMORY);
    }

    TagEndpoint endpoint(Side of, TagEndpointDescription attributes) {
        return world.await(TagEndpoint.open(of.domain(), attributes));
    }

    /** Connects the two and returns the one's peer. */
    TagPeer join(TagEndpoint one, TagEndpoint other) {
        TagPeer here = world.await(one.addPeer());
        TagPeer there = world.await(other.addPeer());
        world.await(there.connect(here.gid(), here.number(), RcConnection.DEFAULT));
        world.await(here.connect(there.gid(), there.number(), RcConnection.DEFAULT));
        return here;
    }

    /** Sends that many non-zero bytes from the left. */
    CompletionStage<Void> send(long tag, int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (1 + i % 251);
        }
        left.memory().write(0, data);
        return toTaker.send(tag, TagBuffer.of(left.region(), 0, length));
    }

    /** Receives on the right, at the beginning of its memory. */
    TagReceive receive(long tag, int length) {
        return takes.receive(tag, TagBuffer.of(right.region(), 0, length));
    }
}
