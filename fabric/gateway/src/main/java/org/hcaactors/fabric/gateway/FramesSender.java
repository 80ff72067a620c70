// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.ClosedChannelException;
import org.hcaactors.fabric.packet.Route;

/** Sends packets as frames, when the MAC address of their destination is known. */
record FramesSender(FramesLink link, Losses losses) implements PacketSender {
    @Override
    public void send(Outgoing leaving, long now) throws ClosedChannelException, InterruptedException {
        Route route = leaving.packet().route();
        link.perform(losses, hosts -> hosts.send(leaving, route.source(), route.destination(), now));
    }

    @Override
    public void advance(long now) throws ClosedChannelException, InterruptedException {
        link.perform(losses, hosts -> hosts.advance(now));
    }

    @Override
    public long nextDeadline(long now) {
        return link.nextDeadline(now);
    }
}
