// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;

/**
 * What a capture holds.
 *
 * @param packets in order
 * @param outOfScope frames that are not judged, by reason
 */
record CapturedTraffic(List<Heard> packets, Map<String, Integer> outOfScope) {
    private static final int CONNECTION_MANAGER = 1;

    /** Packets at most; a longer capture is judged to here, and says so. */
    static final int MOST_PACKETS = 1 << 16;

    /** The packets of each interface, in order. */
    Collection<List<Heard>> byPort() {
        Map<Integer, List<Heard>> ports = new TreeMap<>();
        packets.forEach(heard ->
                ports.computeIfAbsent(heard.port(), any -> new ArrayList<>()).add(heard));
        return ports.values();
    }

    static CapturedTraffic read(Path file) throws IOException {
        List<Heard> packets = new ArrayList<>();
        Map<String, Integer> others = new TreeMap<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            long start = 0;
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedFrame frame = next.get();
                if (packets.size() == MOST_PACKETS) {
                    others.merge("behind the first " + MOST_PACKETS + " packets", 1, Integer::sum);
                    continue;
                }
                start = frame.number() == 1 ? frame.timestampNanos() : start;
                sort(frame, frame.timestampNanos() - start, packets, others);
            }
        }
        return new CapturedTraffic(List.copyOf(packets), others);
    }

    private static void sort(CapturedFrame frame, long nanos, List<Heard> packets, Map<String, Integer> others) {
        Decoded decoded = LinkLayer.of(frame.linkType())
                .map(layer -> FrameDecoder.decode(frame.bytes().toArray(), layer))
                .orElseGet(() -> new Decoded.NotRoce("link type " + frame.linkType()));
        switch (decoded) {
            case Decoded.NotRoce other -> others.merge("not RoCEv2", 1, Integer::sum);
            case Decoded.Malformed bad -> others.merge("malformed", 1, Integer::sum);
            case Decoded.Frame good -> {
                Heard heard = new Heard(frame.number(), nanos, frame.port(), frame.direction(), good.frame());
                if (isManagement(heard)) {
                    others.merge("connection management on QP1", 1, Integer::sum);
                } else if (heard.packet().opcode().transport() == TransportClass.CNP) {
                    others.merge("congestion notification", 1, Integer::sum);
                } else if (heard.packet().opcode().transport() == TransportClass.XRC) {
                    // Whose receive a request took is told by numbers that no packet explains.
                    others.merge("XRC", 1, Integer::sum);
                } else if (heard.packet().opcode().transport() == TransportClass.DC) {
                    // What opens and ends its sessions is no vendor's published protocol.
                    others.merge("DC", 1, Integer::sum);
                } else if (heard.packet().operation().isMasked()) {
                    // Nobody has published their form: nothing that was captured elsewhere is meant by it.
                    others.merge("masked atomics", 1, Integer::sum);
                } else {
                    packets.add(heard);
                }
            }
        }
    }

    private static boolean isManagement(Heard heard) {
        return heard.packet().opcode().transport() == TransportClass.UD
                && heard.packet().bth().destQp() == CONNECTION_MANAGER;
    }
}
