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

/** Judges our machines by one capture of two real RDMA stacks, both ends in turn. */
public final class Conformance {
    /**
     * @param verdict of all its conversations together
     * @param packets that were captured for judging
     * @param unplayed those of the same transports of which our machines are not given anything
     * @param outOfScope frames that were not judged, by reason
     * @param profiles names of those that our machines were
     * @param isAssumed nobody said which
     */
    public record Report(
            Comparison verdict,
            int packets,
            int unplayed,
            Map<String, Integer> outOfScope,
            List<String> profiles,
            boolean isAssumed) {
        public Report {
            outOfScope = Map.copyOf(outOfScope);
            profiles = List.copyOf(profiles);
        }
    }

    /** One direction of a conversation, whichever interface saw it. */
    private record Way(TransportClass transport, PortAddress from, PortAddress to, int qp) {
        static Way of(PacketDirection leg) {
            return new Way(leg.transport(), leg.requester(), leg.responder(), leg.responderQp());
        }
    }

    private final CapturedTraffic traffic;
    private final Notes notes;
    private final Profiles profiles;
    private final boolean isAssumed;
    private final Map<Way, List<PacketDirection>> ways = new LinkedHashMap<>();
    private final List<CapturedPacket> strays = new ArrayList<>();
    private final Map<String, Integer> outOfScope;
    private final ComparisonLimits effort = new ComparisonLimits();
    private final ComparisonBuilder tally = new ComparisonBuilder(effort);
    private final Map<Conversations.Way, Optional<SkippedPacket.Kind>> asked;
    private List<PacketDirection> firstViews = List.of();
    private boolean isUndecided;

    private Conformance(CapturedTraffic traffic, Notes notes, Optional<Profile> told) {
        this.traffic = traffic;
        this.notes = notes;
        profiles = new Profiles(traffic.profiles(), told.orElse(Profile.SOFT_ROCE));
        isAssumed = told.isEmpty() && traffic.profiles().isEmpty();
        outOfScope = new TreeMap<>(traffic.outOfScope());
        List<Conversations> ports = traffic.byPort();
        for (Conversations here : ports) {
            here.legs().forEach(leg -> views(leg).add(leg));
            strays.addAll(here.strays());
            isUndecided |= here.isUndecided();
        }
        if (ports.size() > 1) {
            togetherWhereApart();
        }
        asked = asked();
    }

    private List<PacketDirection> views(PacketDirection leg) {
        return ways.computeIfAbsent(Way.of(leg), any -> new ArrayList<>());
    }

    /** Where one interface saw the requests and another one the answers, all interfaces are taken as one. */
    private void togetherWhereApart() {
        Set<CapturedPacket> answers = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Integer> leftOut = new HashSet<>();
        for (PacketDirection leg : new Conversations(traffic.packets(), traffic.unplayed()).legs()) {
            List<PacketDirection> views = views(leg);
            if (leg.transport() == TransportClass.RC
                    && views.stream().allMatch(view -> view.answers().isEmpty())) {
                views.clear();
                views.add(leg);
                answers.addAll(leg.answers());
                leftOut.addAll(leg.unknown().leftOut().keySet());
            }
        }
        strays.removeIf(answer -> answers.contains(answer) || leftOut.contains(answer.frame()));
    }

    /**
     * Our machines are what the capture says that it was captured at, or else Soft-RoCE.
     *
     * @throws IOException if it can't be read, or is no capture
     */
    public static Report of(Path capture) throws IOException {
        return of(capture, Optional.empty());
    }

    /**
     * @param profile of our machines, whatever the capture says
     * @throws IOException if it can't be read, or is no capture
     */
    public static Report of(Path capture, Optional<Profile> profile) throws IOException {
        CapturedTraffic traffic = CapturedTraffic.read(capture, profile.isEmpty());
        return new Conformance(traffic, Notes.beside(capture), profile).report();
    }

    private Report report() {
        strays.forEach(this::stray);
        firstViews = ways.values().stream().map(List::getFirst).toList();
        Comparison sum = tally.verdict();
        leftOut().forEach(kind -> outOfScope.merge(kind.around, 1, Integer::sum));
        for (List<PacketDirection> views : ways.values()) {
            List<PacketDirection> played =
                    views.stream().filter(leg -> !leg.requests().isEmpty()).toList();
            if (!played.isEmpty()) {
                sum = sum.plus(verdict(played));
            }
        }
        List<PortAddress> ends = ways.keySet().stream()
                .flatMap(way -> Stream.of(way.from, way.to))
                .toList();
        return new Report(
                sum,
                traffic.packets().size(),
                traffic.unplayed().size(),
                outOfScope,
                List.copyOf(profiles.namesAt(ends)),
                isAssumed);
    }

    /** What is not judged, since it stands around what our machines are not given: each frame once. */
    private Collection<SkippedPacket.Kind> leftOut() {
        Map<Integer, SkippedPacket.Kind> byFrame = new TreeMap<>();
        ways.values()
                .forEach(views ->
                        views.forEach(leg -> byFrame.putAll(leg.unknown().leftOut())));
        return byFrame.values();
    }

    /** An answer to nothing that was captured is told where its requests should have been seen. */
    private void stray(CapturedPacket heard) {
        Conversations.Way way = new Conversations.Way(
                heard.packet().route().destination(), heard.packet().route().source());
        if (!heard.isIntact()) {
            outOfScope.merge("of no conversation, with a wrong ICRC", 1, Integer::sum);
            return;
        }
        Optional<SkippedPacket.Kind> lacks = asked.getOrDefault(way, Optional.empty());
        if (!asked.containsKey(way)) {
            outOfScope.merge("answers, whose requests were not captured", 1, Integer::sum);
        } else if (lacks.isPresent()) {
            outOfScope.merge(lacks.get().around, 1, Integer::sum);
        } else if (isUndecided) {
            outOfScope.merge(NotCompared.PARTNER.what, 1, Integer::sum);
        } else if (!heard.went(Direction.INBOUND)) {
            tally.answer();
            tally.mismatch(
                    heard.frame(),
                    Wording.of(heard.packet()),
                    "no request that it could answer",
                    FieldDifference.of("PSN", heard.psn(), "one that was asked for"));
        }
    }

    /** Where RC requests went, each with why our machines are not given all of them. */
    private Map<Conversations.Way, Optional<SkippedPacket.Kind>> asked() {
        Map<Conversations.Way, Optional<SkippedPacket.Kind>> asked = new HashMap<>();
        ways.forEach((way, views) -> {
            if (way.transport == TransportClass.RC) {
                Optional<SkippedPacket.Kind> lacks = views.stream()
                        .flatMap(leg -> leg.unknown().packets().stream())
                        .map(SkippedPacket::kind)
                        .findFirst();
                asked.merge(new Conversations.Way(way.from, way.to), lacks, (one, other) -> one.or(() -> other));
            }
        });
        return asked;
    }

    /** Each end is judged by what the nearest interface saw: less can have happened to it unseen. */
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
            // UD's address handles need an adapter around them; its one-packet messages are judged where they arrive.
            new RequesterTrial(sent, notes, profiles, sum).run();
        }
        sum.notCompared().forEach((reason, packets) -> outOfScope.merge(reason.what, packets, Integer::sum));
        return sum.verdict();
    }

    /** That which saw most requests cross that way; if none says which way, that which saw most. */
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

    private static long crossings(PacketDirection leg, Direction way) {
        return leg.requests().stream().filter(request -> request.went(way)).count();
    }

    /** Others reach the same words, so that atomics of this one don't explain what they hold. */
    private SharedMemoryWords isShared(PacketDirection leg) {
        return SharedMemoryWords.byOthersThan(leg, firstViews, effort);
    }
}
