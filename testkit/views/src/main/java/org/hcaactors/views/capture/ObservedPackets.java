// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.capture.DecodedFrames;
import org.hcaactors.fabric.capture.SkippedFrames;
import org.hcaactors.fabric.wire.Decoded;

/**
 * The packets of a capture.
 *
 * @param packets packets in the order of their first frames
 * @param others number of frames without a packet, by reason
 * @param brokenOff why the file could not be read to its end; empty if it could
 */
record ObservedPackets(List<ObservedPacket> packets, Map<String, Integer> others, Optional<String> brokenOff) {
    /** Maximum packets; the notes say if a capture has more. */
    static final int MAX_PACKETS = 1 << 16;

    /**
     * Reads a capture.
     *
     * @throws IOException if the file cannot be read, or no part of it is a capture
     */
    static ObservedPackets read(Path file) throws IOException {
        List<ObservedPacket> packets = new ArrayList<>();
        Map<Integer, ObservedPacket> byFrame = new HashMap<>();
        SkippedFrames others = new SkippedFrames();
        Optional<String> brokenOff = Optional.empty();
        int frames = 0;
        try (DecodedFrames reader = DecodedFrames.open(file)) {
            for (Optional<DecodedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                frames++;
                sort(next.get(), packets, byFrame, others);
            }
        } catch (CaptureFormatException damaged) {
            if (frames == 0) {
                throw damaged;
            }
            brokenOff = Optional.of("the capture is truncated after frame " + frames + ": " + damaged.getMessage());
        }
        return new ObservedPackets(List.copyOf(packets), others.byReason(), brokenOff);
    }

    private static void sort(
            DecodedFrame seen,
            List<ObservedPacket> packets,
            Map<Integer, ObservedPacket> byFrame,
            SkippedFrames others) {
        if (seen.again().isPresent()) {
            ObservedPacket known = byFrame.get(seen.again().getAsInt());
            if (known != null) {
                known.repeats().add(seen);
            }
            return;
        }
        Optional<ObservedPacket> observed = switch (seen.read().content()) {
            case Decoded.Frame(var frame) -> Optional.of(ObservedPacket.of(seen, frame, new ArrayList<>(0)));
            case Decoded.Truncated(var cut) -> Optional.of(ObservedPacket.of(seen, cut, new ArrayList<>(0)));
            case Decoded.NotRoce other -> {
                others.count(other);
                yield Optional.empty();
            }
            case Decoded.Malformed bad -> {
                others.count(bad);
                yield Optional.empty();
            }
        };
        if (observed.isPresent() && packets.size() == MAX_PACKETS) {
            others.count("the packet is beyond the maximum of " + MAX_PACKETS);
        } else if (observed.isPresent()) {
            packets.add(observed.get());
            byFrame.put(seen.number(), observed.get());
        }
    }

    /** Returns notes for readers of any result, one per line. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        others.forEach((what, count) ->
                notes.add(CaptureSummary.count(count, "frame") + (count == 1 ? " is" : " are") + " left out: " + what));
        long cut = packets.stream().filter(ObservedPacket::isCut).count();
        if (cut > 0) {
            notes.add(CaptureSummary.count(cut, "packet")
                    + (cut == 1 ? " was" : " were")
                    + " truncated by the capture; the ICRC of a truncated packet is not checked");
        }
        brokenOff.ifPresent(notes::add);
        return notes;
    }
}
