// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.capture.Sighting;
import org.hcaactors.fabric.capture.Sightings;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.views.flow.PacketCapture;

/**
 * What a capture holds.
 *
 * @param packets in order
 * @param outOfScope frames that are not judged, by reason
 * @param profiles of our adapters, where it says that it was captured at them
 */
record CapturedTraffic(List<Heard> packets, Map<String, Integer> outOfScope, Map<PortAddress, Profile> profiles) {
    private static final int CONNECTION_MANAGER = 1;

    /** A request that is answered under its number. */
    private record Asked(PortAddress from, PortAddress to, int psn) {
        static Asked by(Heard request) {
            Route route = request.packet().route();
            return new Asked(route.source(), route.destination(), request.psn());
        }

        /** No other than an atomic's answer names one number alone. */
        static Optional<Asked> answeredBy(Heard heard) {
            Route route = heard.packet().route();
            return heard.operation() == Operation.ATOMIC_ACKNOWLEDGE
                    ? Optional.of(new Asked(route.destination(), route.source(), heard.psn()))
                    : Optional.empty();
        }
    }

    /** Packets at most; a longer capture is judged to here, and says so. */
    static final int MOST_PACKETS = 1 << 16;

    /** The packets of each interface, in order. */
    Collection<List<Heard>> byPort() {
        Map<Integer, List<Heard>> ports = new TreeMap<>();
        packets.forEach(heard ->
                ports.computeIfAbsent(heard.port(), any -> new ArrayList<>()).add(heard));
        return ports.values();
    }

    /** @param tellsProfiles what it says of them is wanted */
    static CapturedTraffic read(Path file, boolean tellsProfiles) throws IOException {
        List<Heard> packets = new ArrayList<>();
        Map<String, Integer> others = new TreeMap<>();
        Map<PortAddress, Profile> profiles = new HashMap<>();
        Set<Asked> leftOut = new HashSet<>();
        try (Sightings reader = Sightings.open(file)) {
            for (Optional<Sighting> next = reader.next(); next.isPresent(); next = reader.next()) {
                Sighting seen = next.get();
                if (tellsProfiles) {
                    learn(seen, profiles);
                }
                if (packets.size() == MOST_PACKETS) {
                    others.merge("behind the first " + MOST_PACKETS + " packets", 1, Integer::sum);
                    continue;
                }
                if (seen.againHere()) {
                    // A capture on all interfaces sees what stays on its host twice.
                    others.merge("seen again on its way in", 1, Integer::sum);
                    continue;
                }
                sort(seen, packets, leftOut, others);
            }
        }
        return new CapturedTraffic(List.copyOf(packets), others, profiles);
    }

    /** A port of ours says of what kind its adapter is, and the packets that leave it, what its address is. */
    private static void learn(Sighting seen, Map<PortAddress, Profile> profiles) throws CaptureFormatException {
        Optional<String> name = seen.frame().source().description().flatMap(PacketCapture::profile);
        if (name.isEmpty()
                || seen.direction().orElse(null) != Direction.OUTBOUND
                || !(seen.read().content() instanceof Decoded.Frame(var frame))) {
            return;
        }
        Optional<Profile> profile = Profile.named(name.get());
        if (profile.isEmpty()) {
            throw new CaptureFormatException("it was captured at a " + name.get()
                    + ", which is no profile here; say with --profile which one is like it");
        }
        profiles.putIfAbsent(frame.packet().route().source(), profile.get());
    }

    private static void sort(Sighting seen, List<Heard> packets, Set<Asked> leftOut, Map<String, Integer> others) {
        switch (seen.read().content()) {
            case Decoded.Cut cut -> others.merge("cut short", 1, Integer::sum);
            case Decoded.NotRoce other -> others.merge("not RoCEv2", 1, Integer::sum);
            case Decoded.Malformed bad -> others.merge("malformed", 1, Integer::sum);
            case Decoded.Frame good -> {
                Heard heard = new Heard(seen.number(), seen.sinceFirst(), seen.port(), seen.direction(), good.frame());
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
                    leftOut.add(Asked.by(heard));
                } else if (Asked.answeredBy(heard).filter(leftOut::contains).isPresent()) {
                    others.merge("answers to masked atomics", 1, Integer::sum);
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
