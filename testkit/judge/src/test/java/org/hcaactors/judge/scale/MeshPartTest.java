// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Two parts of a mesh, here in one network. */
class MeshPartTest {
    static final List<Scheme> ALL = Schemes.ALL;

    private static final Cluster CLUSTER = new Cluster(3, 4);

    private final RdmaNetwork network = RdmaNetwork.start();

    @AfterEach
    void close() {
        network.close();
    }

    private Adapter adapter(int node) {
        return network.addAdapter("node-" + node, Profile.CONNECTX_5);
    }

    private MeshPart part(Scheme scheme, int... nodes) {
        MeshPart part = new MeshPart(network, scheme, CLUSTER, () -> 0);
        for (int node : nodes) {
            part.add(node, adapter(node));
        }
        return part;
    }

    private List<LeakReport.Leak> queuePairs() {
        return network.leaks().leaks().stream()
                .filter(leak -> leak.description().contains(" queue pair ")
                        || leak.description().startsWith("DC target "))
                .toList();
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void partsMakeTheMeshTogether(Scheme scheme) {
        MeshPart two = part(scheme, 0, 1);
        MeshPart one = part(scheme, 2);
        Map<String, MeshPart.EndAddress> addresses = new HashMap<>(two.create());
        addresses.putAll(one.create());
        assertThat(addresses.keySet()).containsAll(two.peers()).containsAll(one.peers());
        two.connect(addresses);
        one.connect(addresses);
        assertThat(queuePairs())
                .hasSize(Math.toIntExact(scheme.ofNode(CLUSTER).inAll(CLUSTER)))
                .allMatch(leak -> leak.description().endsWith(" in RTS")
                        || leak.description().endsWith(" in RTR"));
        MeshPart.Cost cost = two.measure();
        assertThat(cost.nodes()).isEqualTo(2);
        assertThat(cost.queuePairs()).isEqualTo(2 * scheme.ofNode(CLUSTER).total());
        assertThat(one.measure().queuePairs()).isEqualTo(scheme.ofNode(CLUSTER).total());
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void aRemovedNodeHasNoQueuePair(Scheme scheme) {
        MeshPart part = part(scheme, 0);
        part.create();
        assertThat(queuePairs()).isNotEmpty();
        network.await(part.remove(0));
        assertThat(queuePairs()).isEmpty();
        assertThat(network.leaks().isEmpty()).isTrue();
    }

    @Test
    void aPeerThatIsNotKnownIsNamed() {
        MeshPart part = part(Schemes.named("rc").orElseThrow(), 0);
        part.create();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part.connect(Map.of()))
                .withMessageContaining("nothing is known of 1.0-0.0");
    }
}
