// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.capture.DecodedFrames;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.capture.SkippedFrames;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.lab.profile.ProfileText;
import org.hcaactors.lab.profile.ProfileValueException;
import org.hcaactors.views.flow.PacketCapture;

/**
 * The contents of a capture.
 *
 * @param packets in order
 * @param skipped packets that are not passed to the project's machines, in order
 * @param management messages of communication management, in order
 * @param outOfScope number of frames that are not compared, by reason
 * @param profiles of this project's adapters, if the capture was made at them
 */
record CapturedTraffic(
        List<CapturedPacket> packets,
        List<SkippedPacket> skipped,
        List<CmConformance.Message> management,
        Map<String, Integer> outOfScope,
        Map<PortAddress, Profile> profiles) {

    /** Maximum number of packets; the rest of a longer capture is not compared and counted as such. */
    static final int MAX_PACKETS = 1 << 16;

    /** Maximum number of ports whose profile is known from the capture; the others have the default. */
    private static final int MAX_PORTS = 1 << 12;

    private static final int LONGEST_SHOWN = 128;

    /** Returns the conversations at each interface. */
    List<Conversations> byPort() {
        Map<Integer, List<CapturedPacket>> ports = new TreeMap<>();
        Map<Integer, List<SkippedPacket>> others = new TreeMap<>();
        packets.forEach(packet ->
                ports.computeIfAbsent(packet.port(), any -> new ArrayList<>()).add(packet));
        skipped.forEach(packet -> {
            ports.computeIfAbsent(packet.port(), any -> new ArrayList<>());
            others.computeIfAbsent(packet.port(), any -> new ArrayList<>()).add(packet);
        });
        List<Conversations> all = new ArrayList<>();
        ports.forEach((port, captured) -> all.add(new Conversations(captured, others.getOrDefault(port, List.of()))));
        return all;
    }

    /** @param tellsProfiles profiles are read from the capture */
    static CapturedTraffic read(Path file, boolean tellsProfiles) throws IOException {
        List<CapturedPacket> packets = new ArrayList<>();
        List<SkippedPacket> skipped = new ArrayList<>();
        List<CmConformance.Message> management = new ArrayList<>();
        SkippedFrames others = new SkippedFrames();
        Map<PortAddress, Profile> profiles = new HashMap<>();
        Set<Integer> madeUp = new HashSet<>();
        try (DecodedFrames reader = DecodedFrames.open(file)) {
            for (Optional<DecodedFrame> next = reader.next(); next.isPresent(); next = firstFrame(reader, others)) {
                DecodedFrame seen = next.get();
                if (tellsProfiles) {
                    learn(seen, profiles);
                }
                if (packets.size() + skipped.size() + management.size() == MAX_PACKETS) {
                    others.count("packets beyond the maximum of " + MAX_PACKETS);
                    continue;
                }
                if (seen.againHere()) {
                    // A capture on all interfaces contains packets within a host twice.
                    others.count("packets within a host, captured a second time on arrival");
                    continue;
                }
                boolean forged = isForged(seen)
                        || seen.again().isPresent()
                                && madeUp.contains(seen.again().getAsInt());
                if (forged) {
                    madeUp.add(seen.number());
                }
                Optional<CmConformance.Message> message = message(seen);
                if (message.isEmpty() || forged) {
                    sort(seen, forged, packets, skipped, others);
                } else if (seen.again().isEmpty()) {
                    management.add(message.get());
                }
            }
        }
        return new CapturedTraffic(
                List.copyOf(packets), List.copyOf(skipped), List.copyOf(management), others.byReason(), profiles);
    }

    private static Optional<CmConformance.Message> message(DecodedFrame seen) {
        return seen.read().content() instanceof Decoded.Frame(var frame) && frame.icrcOk()
                ? CmCodec.decode(frame.packet())
                        .map(datagram -> new CmConformance.Message(
                                seen.number(),
                                seen.sinceFirst(),
                                frame.packet().route().source(),
                                frame.packet().route().destination(),
                                datagram))
                : Optional.empty();
    }

    /** Returns the next frame. A file that breaks off counts as ended, because the capturing program may have been killed. */
    private static Optional<DecodedFrame> firstFrame(DecodedFrames reader, SkippedFrames others) throws IOException {
        try {
            return reader.next();
        } catch (CaptureFormatException damaged) {
            others.count("truncated record at the end of the file: " + damaged.getMessage());
            return Optional.empty();
        }
    }

    /** Learns the profile from the description of the interface, and its address from the packets that leave it. */
    private static void learn(DecodedFrame seen, Map<PortAddress, Profile> profiles) throws CaptureFormatException {
        Optional<String> model = seen.frame().source().description().flatMap(PacketCapture::profile);
        if (model.isEmpty()
                || seen.direction().orElse(null) != Direction.OUTBOUND
                || !(seen.read().content() instanceof Decoded.Frame(var frame))) {
            return;
        }
        PortAddress port = frame.packet().route().source();
        if (!profiles.containsKey(port) && profiles.size() < MAX_PORTS) {
            profiles.put(port, profile(model.get()));
        }
    }

    private static Profile profile(String model) throws CaptureFormatException {
        try {
            return ProfileText.read(model);
        } catch (ProfileValueException refused) {
            String shown =
                    model.substring(0, Math.min(LONGEST_SHOWN, model.length())).replaceAll("[^\\p{Print}]", "?");
            throw new CaptureFormatException("the capture was recorded with the profile " + shown
                    + ", which this version does not have; give a similar profile with --profile");
        }
    }

    /** True if this project's capture marks the frame as forged. */
    private static boolean isForged(DecodedFrame seen) {
        return PacketCapture.isForged(seen.frame().comments())
                && seen.frame()
                        .source()
                        .description()
                        .flatMap(PacketCapture::profile)
                        .isPresent();
    }

    private static void sort(
            DecodedFrame seen,
            boolean forged,
            List<CapturedPacket> packets,
            List<SkippedPacket> skipped,
            SkippedFrames others) {
        switch (seen.read().content()) {
            case Decoded.Truncated(var cut) -> {
                others.count(SkippedPacket.Kind.CUT_SHORT.what);
                if (whySkipped(cut.bth()).isEmpty()) {
                    skipped.add(SkippedPacket.of(seen, cut));
                }
            }
            case Decoded.NotRoce other -> others.count(other);
            case Decoded.Malformed bad -> others.count(bad);
            case Decoded.Frame good -> {
                CapturedPacket packet = new CapturedPacket(
                        seen.number(), seen.sinceFirst(), seen.port(), seen.direction(), good.frame());
                Optional<String> reason = whySkipped(packet.packet().bth());
                if (reason.isPresent()) {
                    others.count(reason.get());
                } else if (forged) {
                    others.count(SkippedPacket.Kind.FORGED.what);
                    skipped.add(SkippedPacket.forged(packet));
                } else if (!packet.operation().isMasked()) {
                    packets.add(packet);
                } else {
                    others.count(SkippedPacket.Kind.MASKED_ATOMIC.what);
                    if (packet.isIntact()) {
                        skipped.add(SkippedPacket.masked(packet));
                    }
                }
            }
        }
    }

    /** Returns why packets of that transport are not compared; empty if they are. */
    private static Optional<String> whySkipped(Bth bth) {
        return switch (bth.opcode().transport()) {
            case RC, UC -> Optional.empty();
            case UD ->
                bth.destQp() == CmDatagram.QP_NUMBER
                        ? Optional.of("datagrams of QP1 that are not of communication management")
                        : Optional.empty();
            case CNP -> Optional.of("congestion notifications");
            // The receive of a request depends on shared receive queue numbers that no packet explains.
            case XRC -> Optional.of("XRC");
            // The session protocol of DC is not published.
            case DC -> Optional.of("DC");
        };
    }
}
