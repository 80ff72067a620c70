// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

/**
 * A cable with sockets, to peers in other processes. More kinds may follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface LiveCable extends Cable permits FramesCable, UdpCable {
    /** Returns the limits for each peer. */
    UdpCable.PeerLimits limits();
}
