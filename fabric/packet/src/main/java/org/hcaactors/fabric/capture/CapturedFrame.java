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
 * @param linkType LINKTYPE_ value of pcap
 * @param bytes as captured
 * @param originalLength length on the wire; more than captured if the capture was cut
 * @param comments of the packet, pcapng only
 * @param port index of the capture's interface, from 0; 0 if the format has only one
 * @param source description of that interface in the capture
 * @param direction direction at that interface, if the capture contains it
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
    /** Description of an interface; pcapng has one, pcap does not. */
    public record Source(Optional<String> name, Optional<String> description) {
        public static final Source UNKNOWN = new Source(Optional.empty(), Optional.empty());
    }
}
