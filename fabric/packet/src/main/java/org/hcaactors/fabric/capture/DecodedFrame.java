// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.wire.Unwrapped;

/**
 * A frame of a capture, read.
 *
 * @param frame as captured
 * @param sinceFirst nanoseconds since the first frame of the file
 * @param port which interface saw it, from 0: of those that the format knows, and of those that a cooked frame names
 * @param interfaceName as the capture names it; {@code if0} where it has no name
 * @param direction which way it crossed that interface: as pcapng says, or a cooked frame
 * @param read what it is
 * @param again the frame in which the same packet was seen before, at another interface or on its way out; empty for the
 *     first sight, and for a packet that was sent again
 * @param againHere that frame crossed the same interface
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
