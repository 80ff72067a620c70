// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.adapter.cm.CmWire.SERVICE;
import static org.hcaactors.adapter.cm.CmWire.terms;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.hcaactors.adapter.cm.CmWire.Node;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/**
 * Connections over a wire that loses, repeats and reorders messages of communication management, between programs that accept,
 * reject, disconnect and abandon at random.
 */
class CmFaultsTest {
    private static final int SEEDS = 1_000;
    private static final int CONNECTIONS = 12;

    /** A wire of one seed, and what its programs know. */
    private static final class Run {
        private final SplittableRandom random;
        private final CmWire wire = new CmWire();
        private final List<Node> nodes = List.of(wire.node(1), wire.node(2), wire.node(3));

        /** Queue pair of each communication ID that is not released: each is used once at a time. */
        private final Map<Integer, String> queuePairs = new LinkedHashMap<>();

        private final Map<CmAttribute, Integer> lost = new EnumMap<>(CmAttribute.class);
        private boolean healed;

        Run(long seed) {
            random = new SplittableRandom(seed);
            wire.judge = each -> {
                if (healed) {
                    return List.of(CmWire.LATENCY);
                }
                List<Long> copies = new ArrayList<>();
                for (int copy = random.nextInt(8) == 0 ? 2 : 1; copy > 0; copy--) {
                    if (random.nextInt(4) != 0) {
                        copies.add(1 + random.nextLong(CmWire.PACKET_LIFE - 1));
                    }
                }
                if (copies.isEmpty()) {
                    lost.merge(each.datagram().message().attribute(), 1, Integer::sum);
                }
                return copies;
            };
            for (Node node : nodes) {
                node.agent.listen(SERVICE, 3);
                node.program = report -> on(node, report);
            }
        }

        private void on(Node node, CmEffect report) {
            switch (report) {
                case CmEffect.Requested asked -> decide(node, asked.commId());
                case CmEffect.Accepted accepted -> {
                    if (random.nextInt(8) == 0) {
                        node.agent.reject(accepted.commId(), 28, Octets.NONE, wire.now());
                    } else {
                        assertThat(node.agent.ready(accepted.commId(), Octets.NONE))
                                .isTrue();
                    }
                }
                case CmEffect.Released released -> queuePairs.remove(released.commId());
                case CmEffect.Send ignored -> {}
                case CmEffect.Counted ignored -> {}
                case CmEffect.Dropped ignored -> {}
                case CmEffect.OfConnection ignored -> {}
                case CmEffect.ServiceRequested ignored -> {}
                case CmEffect.ServiceAnswered ignored -> {}
                case CmEffect.ServiceUnanswered ignored -> {}
            }
        }

        private void decide(Node node, int commId) {
            switch (random.nextInt(8)) {
                case 0 -> node.agent.reject(commId, 28, Octets.NONE, wire.now());
                case 1 -> {
                    // The program never decides.
                }
                default -> {
                    int queuePair = free(node);
                    queuePairs.put(commId, name(node, queuePair));
                    assertThat(node.agent.accept(commId, terms(queuePair), Octets.NONE, wire.now()))
                            .isTrue();
                }
            }
        }

        /** Returns the smallest number that is free, so that numbers are used again as soon as they may be. */
        private int free(Node node) {
            int number = 2;
            while (queuePairs.containsValue(name(node, number))) {
                number++;
            }
            return number;
        }

        private static String name(Node node, int number) {
            return node.at + "/" + number;
        }

        void play() {
            for (int i = 0; i < CONNECTIONS; i++) {
                Node from = nodes.get(random.nextInt(nodes.size()));
                Node to = nodes.get(random.nextInt(nodes.size()));
                int number = free(from);
                int commId = from.agent
                        .connect(to.at, SERVICE, terms(number), Octets.NONE, wire.now())
                        .orElseThrow();
                queuePairs.put(commId, name(from, number));
                wire.run(random.nextLong(20 * CmWire.PACKET_LIFE));
                meddle();
            }
            healed = true;
            wire.run(1_000_000_000_000L);
        }

        long opened() {
            return nodes.stream()
                    .mapToLong(node -> node.reports(CmEffect.Established.class).size())
                    .sum();
        }

        /** Returns the established ends, each as its own address and ID and those of its peer. */
        Set<String> ends() {
            return nodes.stream()
                    .flatMap(node -> node.agent.report().stream()
                            .map(each -> end(node.at, each.commId(), each.localQpn()) + " "
                                    + end(each.peer(), each.remoteCommId(), each.remoteQpn())))
                    .collect(Collectors.toSet());
        }

        /** Returns the same as their peers know them. */
        Set<String> peers() {
            return nodes.stream()
                    .flatMap(node -> node.agent.report().stream()
                            .map(each -> end(each.peer(), each.remoteCommId(), each.remoteQpn()) + " "
                                    + end(node.at, each.commId(), each.localQpn())))
                    .collect(Collectors.toSet());
        }

        private static String end(PortAddress at, int commId, int qpNumber) {
            return at + "/" + commId + "/qp" + qpNumber;
        }

        /** A program disconnects or abandons some of its connections. */
        private void meddle() {
            for (Node node : nodes) {
                for (int commId : List.copyOf(queuePairs.keySet())) {
                    if (node.agent.state(commId).isPresent() && commId / 1_000_000 == nodes.indexOf(node) + 1) {
                        switch (random.nextInt(12)) {
                            case 0, 1 -> node.agent.disconnect(commId, Octets.NONE, wire.now());
                            case 2 -> node.agent.abandon(commId, wire.now());
                            default -> {}
                        }
                    }
                }
            }
        }
    }

    // rules cm-states, cm-retries, cm-duplicates, cm-time-wait
    @Test
    void bothEndsAgreeAfterLossRepetitionAndReordering() {
        Map<CmAttribute, Integer> lost = new EnumMap<>(CmAttribute.class);
        long opened = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed);
            run.play();
            run.lost.forEach((kind, times) -> lost.merge(kind, times, Integer::sum));
            opened += run.opened();
            assertThat(run.nodes.stream().flatMap(node -> node.agent.report().stream()))
                    .as("seed " + seed + ": every other connection has ended and is forgotten")
                    .allMatch(each -> each.state() == CmState.ESTABLISHED);
            if (run.nodes.stream().noneMatch(CmFaultsTest::lacksRtu)) {
                assertThat(run.ends())
                        .as("seed " + seed + ": each end has its peer")
                        .isEqualTo(run.peers());
            }
        }
        assertThat(opened).isGreaterThan(SEEDS);
        assertThat(lost)
                .containsOnlyKeys(
                        CmAttribute.REQ,
                        CmAttribute.MRA,
                        CmAttribute.REJ,
                        CmAttribute.REP,
                        CmAttribute.RTU,
                        CmAttribute.DREQ,
                        CmAttribute.DREP);
    }

    // rule cm-half-open
    /** True if all repetitions of a reply were in vain: then nothing but data tells the active end. */
    private static boolean lacksRtu(Node node) {
        return node.reports(CmEffect.Unanswered.class).stream().anyMatch(each -> each.in() == CmState.REP_SENT);
    }
}
