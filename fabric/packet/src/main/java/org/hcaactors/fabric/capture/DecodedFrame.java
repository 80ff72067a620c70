// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.wire.Unwrapped;

/**
 * A decoded frame of a capture.
 *
 * @param frame as captured
 * @param sinceFirst nanoseconds since the first frame of the file
 * @param port index, from 0, of the interface that saw the frame; counts the interfaces of the format and those that cooked
 *     frames name
 * @param interfaceName name in the capture; {@code if0} if it has none
 * @param direction direction at that interface, from pcapng or a cooked frame
 * @param read the decoded contents
 * @param again number of the frame in which the same packet was seen before, at another interface or in the other direction;
 *     empty for the first sight and for a packet that was retransmitted
 * @param againHere true if that earlier frame crossed the same interface
 */
public record DecodedFrame(
        CapturedFrame frame,
        long sinceFirst,
        int port,
        String interfaceName,
        Optional<Direction> direction,
        Unwrapped read,
        OptionalInt again,
        boolean againHere) {
    public int number() {
        return frame.number();
    }
}
