package org.hcaactors.fabric.capture;

import java.util.List;
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
 */
public record CapturedFrame(
        int number, long timestampNanos, int linkType, Octets bytes, int originalLength, List<String> comments) {}
