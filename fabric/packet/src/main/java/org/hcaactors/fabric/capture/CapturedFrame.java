// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.Octets;

/**
 * One record of a capture file.
 *
 * @param number 1-based number in the file
 * @param timestampNanos since the epoch (or since the start of virtual time)
 * @param linkType pcap's LINKTYPE_ value
 * @param bytes as captured
 * @param originalLength on the wire; more than captured if the capture was cut
 * @param comments of the packet, pcapng only
 * @param port which of the capture's interfaces, from 0; 0 where the format knows only one
 * @param source what the capture says of that interface
 * @param direction which way it crossed that interface, where the capture says so
 */
public record CapturedFrame(
        int number,
        long timestampNanos,
        int linkType,
        Octets bytes,
        int originalLength,
        List<String> comments,
        int port,
        Source source,
        Optional<Direction> direction) {
    /** An interface, as pcapng describes it; pcap describes none. */
    public record Source(Optional<String> name, Optional<String> description) {
        public static final Source UNTOLD = new Source(Optional.empty(), Optional.empty());
    }
}
