// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.views.flow.Wording;

/** Comparison of the project's machines with a capture of two real RDMA stacks, each end in turn. */
public final class Conformance {
    /**
     * @param verdict of all conversations together
     * @param management of the messages of communication management
     * @param packets number of captured packets in scope
     * @param skipped number of packets of the same transports that were not passed to the machines
     * @param outOfScope number of frames that were not compared, by reason
     * @param profiles names of the machines' profiles
     * @param isAssumed neither the caller nor the capture determined the profile
     */
    public record Report(
            Comparison verdict,
            CmConformance.Report management,
            int packets,
            int skipped,
            Map<String, Integer> outOfScope,
            List<String> profiles,
            boolean isAssumed) {
        public Report {
            outOfScope = Map.copyOf(outOfScope);
            profiles = List.copyOf(profiles);
        }

        /** True if all that was compared is equal, or differs for a known reason. */
        public boolean agrees() {
            return verdict.agrees() && management.mismatches().isEmpty();
        }

        /** True if something was compared that could have differed. */
        public boolean isConclusive() {
            return verdict.isConclusive() || management.messages() > 0;
        }
    }

    /** One direction of a conversation, at any interface. */
    private record Way(TransportClass transport, PortAddress from, PortAddress to, int qp) {
        static Way of(PacketDirection direction) {
            return new Way(
                    direction.transport(), direction.requester(), direction.responder(), direction.responderQp());
        }
    }

    private final CapturedTraffic traffic;
    private final Notes notes;
    private final Profiles profiles;
    private final boolean isAssumed;
    private final Map<Way, List<PacketDirection>> ways = new LinkedHashMap<>();
    private final List<CapturedPacket> unassigned = new ArrayList<>();
    private final Map<String, Integer> outOfScope;
    private final ComparisonLimits effort = new ComparisonLimits();
    private final ComparisonBuilder tally = new ComparisonBuilder(effort);
    private final Map<Conversations.Way, Optional<SkippedPacket.Kind>> requestDirections;
    private List<PacketDirection> firstViews = List.of();
    private boolean isUndecided;

    private Conformance(CapturedTraffic traffic, Notes notes, Optional<Profile> profile) {
        this.traffic = traffic;
        this.notes = notes;
        profiles = new Profiles(traffic.profiles(), profile.orElse(Profile.SOFT_ROCE));
        isAssumed = profile.isEmpty() && traffic.profiles().isEmpty();
        outOfScope = new TreeMap<>(traffic.outOfScope());
        List<Conversations> ports = traffic.byPort();
        for (Conversations conversations : ports) {
            conversations.directions().forEach(direction -> views(direction).add(direction));
            unassigned.addAll(conversations.unassigned());
            isUndecided |= conversations.isUndecided();
        }
        if (ports.size() > 1) {
            togetherWhereApart();
        }
        requestDirections = requestDirections();
    }

    private List<PacketDirection> views(PacketDirection direction) {
        return ways.computeIfAbsent(Way.of(direction), any -> new ArrayList<>());
    }

    /** If one interface saw the requests and another one the responses, all interfaces are taken as one. */
    private void togetherWhereApart() {
        Set<CapturedPacket> answers = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Integer> leftOut = new HashSet<>();
        for (PacketDirection direction : new Conversations(traffic.packets(), traffic.skipped()).directions()) {
            List<PacketDirection> views = views(direction);
            if (direction.transport() == TransportClass.RC
                    && views.stream().allMatch(view -> view.answers().isEmpty())) {
                views.clear();
                views.add(direction);
                answers.addAll(direction.answers());
                leftOut.addAll(direction.unknown().skippedKinds().keySet());
            }
        }
        unassigned.removeIf(answer -> answers.contains(answer) || leftOut.contains(answer.frame()));
    }

    /**
     * Compares with the profiles in the capture, or else with Soft-RoCE.
     *
     * @throws IOException if it cannot be read, or is not a capture
     */
    public static Report of(Path capture) throws IOException {
        return of(capture, Optional.empty());
    }

    /**
     * @param profile of the machines, which takes precedence over the capture
     * @throws IOException if it cannot be read, or is not a capture
     */
    public static Report of(Path capture, Optional<Profile> profile) throws IOException {
        CapturedTraffic traffic = CapturedTraffic.read(capture, profile.isEmpty());
        return new Conformance(traffic, Notes.of(capture), profile).report();
    }

    private Report report() {
        unassigned.forEach(this::unmatchedResponse);
        firstViews = ways.values().stream().map(List::getFirst).toList();
        Comparison sum = tally.verdict();
        skippedKinds().forEach(kind -> outOfScope.merge(kind.around, 1, Integer::sum));
        for (List<PacketDirection> views : ways.values()) {
            List<PacketDirection> played = views.stream()
                    .filter(direction -> !direction.requests().isEmpty())
                    .toList();
            if (!played.isEmpty()) {
                sum = sum.plus(verdict(played));
            }
        }
        List<PortAddress> ends = ways.keySet().stream()
                .flatMap(way -> Stream.of(way.from, way.to))
                .toList();
        return new Report(
                sum,
                CmConformance.of(traffic.management()),
                traffic.packets().size(),
                traffic.skipped().size(),
                outOfScope,
                List.copyOf(profiles.namesAt(ends)),
                isAssumed);
    }

    /** Returns the reasons why frames are not compared because they are next to skipped packets, once for each frame. */
    private Collection<SkippedPacket.Kind> skippedKinds() {
        Map<Integer, SkippedPacket.Kind> byFrame = new TreeMap<>();
        ways.values()
                .forEach(views -> views.forEach(
                        direction -> byFrame.putAll(direction.unknown().skippedKinds())));
        return byFrame.values();
    }

    /** Reports a response without a captured request where the request should have been captured. */
    private void unmatchedResponse(CapturedPacket packet) {
        Conversations.Way way = new Conversations.Way(
                packet.packet().route().destination(), packet.packet().route().source());
        if (!packet.isIntact()) {
            outOfScope.merge("packets with a wrong ICRC, of unknown queue pairs", 1, Integer::sum);
            return;
        }
        Optional<SkippedPacket.Kind> lacks = requestDirections.getOrDefault(way, Optional.empty());
        if (!requestDirections.containsKey(way)) {
            outOfScope.merge("answers whose requests were not captured", 1, Integer::sum);
        } else if (lacks.isPresent()) {
            outOfScope.merge(lacks.get().around, 1, Integer::sum);
        } else if (isUndecided) {
            outOfScope.merge(NotCompared.PARTNER.what, 1, Integer::sum);
        } else if (!packet.isOfDirection(Direction.INBOUND)) {
            tally.answer();
            tally.mismatch(
                    packet.frame(),
                    Wording.of(packet.packet()),
                    "the capture contains no request for this answer",
                    FieldDifference.of("PSN", packet.psn(), "the PSN of a request"));
        }
    }

    /** Returns the directions with RC requests, each with the reason why not all of them are passed to the machines. */
    private Map<Conversations.Way, Optional<SkippedPacket.Kind>> requestDirections() {
        Map<Conversations.Way, Optional<SkippedPacket.Kind>> directions = new HashMap<>();
        ways.forEach((way, views) -> {
            if (way.transport == TransportClass.RC) {
                Optional<SkippedPacket.Kind> lacks = views.stream()
                        .flatMap(direction -> direction.unknown().packets().stream())
                        .map(SkippedPacket::kind)
                        .findFirst();
                directions.merge(new Conversations.Way(way.from, way.to), lacks, (one, other) -> one.or(() -> other));
            }
        });
        return directions;
    }

    /** Each end is compared at the interface nearest to it, where the least can have happened unseen. */
    private Comparison verdict(List<PacketDirection> views) {
        ComparisonBuilder sum = new ComparisonBuilder(effort);
        PacketDirection arrived = nearest(views, Direction.INBOUND);
        PacketDirection sent = nearest(views, Direction.OUTBOUND);
        if (effort.isSpent()) {
            outOfScope.merge(
                    NotCompared.EFFORT.what,
                    Math.max(arrived.packets().size(), sent.packets().size()),
                    Integer::sum);
            return Comparison.NONE;
        }
        if (sent.transport() == TransportClass.RC) {
            new ResponderTrial(arrived, notes, profiles, isShared(arrived), sum).run();
        } else {
            new ReceiverTrial(arrived, notes, profiles, sum).run();
        }
        if (sent.transport() != TransportClass.UD) {
            // Address handles of UD need an adapter; its one-packet messages are compared at the receiver.
            new RequesterTrial(sent, notes, profiles, sum).run();
        }
        sum.notCompared().forEach((reason, packets) -> outOfScope.merge(reason.what, packets, Integer::sum));
        return sum.verdict();
    }

    /** Returns the view in which most requests crossed in that direction; without directions, the one with most packets. */
    private static PacketDirection nearest(List<PacketDirection> views, Direction way) {
        PacketDirection best = views.getFirst();
        for (PacketDirection view : views) {
            long crossed = crossings(view, way) - crossings(best, way);
            if (crossed > 0
                    || crossed == 0 && view.packets().size() > best.packets().size()) {
                best = view;
            }
        }
        return best;
    }

    private static long crossings(PacketDirection direction, Direction way) {
        return direction.requests().stream()
                .filter(request -> request.isOfDirection(way))
                .count();
    }

    /** Other conversations access the same words, so that the atomics of this one do not determine their values. */
    private SharedMemoryWords isShared(PacketDirection direction) {
        return SharedMemoryWords.byOthersThan(direction, firstViews, effort);
    }
}
