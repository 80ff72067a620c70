// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.hcaactors.api.queue.QpType.DC_INI;
import static org.hcaactors.api.queue.QpType.DC_TGT;
import static org.hcaactors.api.queue.QpType.RC;
import static org.hcaactors.api.queue.QpType.XRC_INI;
import static org.hcaactors.api.queue.QpType.XRC_TGT;

import java.util.List;
import java.util.Map;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemesTest {
    static final List<Scheme> ALL = Schemes.ALL;

    private static Scheme named(String name) {
        return Schemes.named(name).orElseThrow();
    }

    @Test
    void rcNeedsTheSquareOfTheProcessesForEveryOtherNode() {
        assertThat(named("rc").ofNode(new Cluster(1024, 16)).byType()).isEqualTo(Map.of(RC, 261_888L));
        assertThat(named("rc").ofNode(new Cluster(2, 1)).byType()).isEqualTo(Map.of(RC, 1L));
    }

    @Test
    void xrcNeedsOnePairForEachProcessAndOtherNode() {
        Map<?, Long> types = named("XRC").ofNode(new Cluster(1024, 16)).byType();
        assertThat(types).isEqualTo(Map.of(XRC_INI, 16_368L, XRC_TGT, 16_368L));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 65_000})
    void dcsQueuePairsDoNotDependOnTheNumberOfNodes(int nodes) {
        Cluster cluster = new Cluster(nodes, 16);
        assertThat(named("dc8").ofNode(cluster).byType()).isEqualTo(Map.of(DC_INI, 128L, DC_TGT, 16L));
        assertThat(named("DC32").ofNode(cluster).byType()).isEqualTo(Map.of(DC_INI, 512L, DC_TGT, 16L));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, true", "16, true"})
    void xrcNeedsFewerQueuePairsThanRcFromThreeProcessesOn(int processes, boolean fewer) {
        Cluster cluster = new Cluster(5, processes);
        assertThat(named("xrc").ofNode(cluster).total()
                        < named("rc").ofNode(cluster).total())
                .isEqualTo(fewer);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void objectsOfEveryNodeOfAMeshMatchTheFormula(Scheme scheme) {
        Cluster cluster = new Cluster(3, 4);
        try (RdmaNetwork network = RdmaNetwork.start()) {
            BareCluster bare = BareCluster.on(network, cluster, Profile.CONNECTX_5, "node");
            scheme.wires(network, bare)
                    .forEach(wire -> network.await(wire.laying().get()));

            List<LeakReport.Leak> open = network.leaks().leaks().stream()
                    .filter(leak -> leak.description().contains(" queue pair ") || isDcTarget(leak))
                    .toList();
            assertThat(open)
                    .allMatch(leak -> leak.description().endsWith(" in RTS")
                            || leak.description().endsWith(" in RTR"));
            Map<String, Map<QpType, Long>> counted = open.stream()
                    .collect(groupingBy(LeakReport.Leak::adapter, groupingBy(SchemesTest::type, counting())));
            Map<QpType, Long> formula = scheme.ofNode(cluster).byType();
            assertThat(counted).isEqualTo(Map.of("node-0", formula, "node-1", formula, "node-2", formula));
        }
    }

    private static boolean isDcTarget(LeakReport.Leak leak) {
        return leak.description().startsWith("DC target ");
    }

    private static QpType type(LeakReport.Leak leak) {
        return isDcTarget(leak)
                ? DC_TGT
                : QpType.valueOf(
                        leak.description().substring(0, leak.description().indexOf(' ')));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "65001, 1", "2, 0", "2, 1001"})
    void aClusterHasTwoNodesAndAProcessAtLeast(int nodes, int processes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Cluster(nodes, processes))
                .withMessageContaining("2 to 65000 nodes of 1 to 1000 processes are allowed");
    }
}
