// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;

/** Sends packets as frames, when the MAC address of their destination is known. */
record FramesSender(FramesLink link, Losses losses) implements PacketSender {
    @Override
    public Optional<DatagramChannel> send(Outgoing leaving, long now) throws ClosedChannelException {
        return link.send(leaving, losses, now);
    }

    @Override
    public void advance(long now) throws ClosedChannelException {
        link.perform(losses, hosts -> hosts.advance(now));
    }

    @Override
    public long nextDeadline(long now) {
        return link.nextDeadline(now);
    }
}
