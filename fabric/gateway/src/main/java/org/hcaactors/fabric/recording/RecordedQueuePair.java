// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.net.InetAddress;
import java.util.List;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * A connection of a recording, or two queue pairs that exchanged datagrams. A number that no packet shows is 0.
 *
 * @param transport its transport
 * @param address address of this side
 * @param number recorded queue pair number of this side
 * @param firstPsn first PSN that this side sent
 * @param peerNumber queue pair number of the peer: the one to connect to
 * @param peerFirstPsn first PSN that the peer sent
 * @param memory memory of this side that the peer's requests name
 * @param peerMemory memory of the peer that requests of this side name
 */
public record RecordedQueuePair(
        TransportClass transport,
        InetAddress address,
        int number,
        int firstPsn,
        int peerNumber,
        int peerFirstPsn,
        List<RecordedMemory> memory,
        List<RecordedMemory> peerMemory) {
    public RecordedQueuePair {
        memory = List.copyOf(memory);
        peerMemory = List.copyOf(peerMemory);
    }
}
