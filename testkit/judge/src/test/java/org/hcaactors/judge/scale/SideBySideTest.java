// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.hcaactors.api.device.Profile;
import org.hcaactors.judge.scale.Row.Origin;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class SideBySideTest {
    private static final Scheme RC = Schemes.named("rc").orElseThrow();

    private final AtomicLong built = new AtomicLong();
    private final AtomicLong time = new AtomicLong();
    private final BuiltMesh gauge = new BuiltMesh(Profile.CONNECTX_5, () -> time.getAndAdd(1_000), built::addAndGet);

    /** A measure by which all queue pairs cost the same, without building any. */
    private static final MeshMeasure EVEN = (scheme, cluster) -> new Measurement(
            cluster,
            scheme.ofNode(cluster).inAll(cluster),
            4_000 * scheme.ofNode(cluster).inAll(cluster),
            1);

    @Test
    void aClusterAboveTheBoundIsComputedFromTheLargestBuiltOne() {
        SideBySide schemes = new SideBySide(List.of(64, 2, 3, 3), 2, 24);
        List<Row> rows = schemes.rows(RC, EVEN);

        assertThat(rows).extracting(row -> row.cluster().nodes()).containsExactly(2, 3, 64);
        assertThat(rows)
                .extracting(Row::origin)
                .containsExactly(Origin.MEASURED, Origin.MEASURED, Origin.BEYOND_THE_BOUND);
        Row largest = rows.get(1);
        Row computed = rows.get(2);
        assertThat(computed.by()).isEqualTo(largest.by());
        assertThat(computed.ofNode().total()).isEqualTo(252);
        assertThat(computed.heapBytesOfNode())
                .isCloseTo(largest.heapBytesOfNode() * 63L / 2, Percentage.withPercentage(1));
    }

    @Test
    void smallMeshesAreBuiltManyTimesToReduceNoise() {
        Measurement found = gauge.measure(RC, new Cluster(2, 1));
        assertThat(built.get()).isEqualTo(600);
        assertThat(found.queuePairs()).isEqualTo(2);
        assertThat(found.nanos()).as("of one mesh, of three hundred").isEqualTo(3);
    }

    /** In a JVM of its own: garbage of other tests may be freed during the measurement here. */
    @Test
    void aQueuePairOfASmallMeshTakesSomeThousandBytes() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneMesh.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Double.parseDouble(told.strip())).isBetween(2_000.0, 20_000.0);
    }

    /** Prints the bytes of a queue pair. */
    static final class OneMesh {
        private OneMesh() {}

        public static void main(String[] none) {
            BuiltMesh gauge = new BuiltMesh(Profile.CONNECTX_5, System::nanoTime, built -> {});
            gauge.warm(RC);
            System.out.println(gauge.measure(RC, new Cluster(2, 1)).bytesEach());
        }
    }

    @Test
    void ifNoneMayBeBuiltASmallClusterIsTheReference() {
        SideBySide schemes = new SideBySide(List.of(4, 8), 100, 0);
        assertThat(schemes.queuePairs(RC)).isEqualTo(2 * 31 * 31);
        List<Row> rows = schemes.rows(RC, EVEN);
        assertThat(rows).extracting(Row::origin).containsOnly(Origin.BEYOND_THE_BOUND);
        assertThat(rows).extracting(row -> row.by().cluster()).containsOnly(new Cluster(2, 31));
    }

    @Test
    void aClusterAboveTheHeapIsNotBuilt() {
        List<Row> rows = new SideBySide(List.of(2, 1000), 32, Long.MAX_VALUE).rows(RC, EVEN);
        assertThat(rows).extracting(Row::origin).containsExactly(Origin.MEASURED, Origin.BEYOND_THE_HEAP);
    }

    /** A scheme that creates nothing of what its formula says. */
    private record Boasting() implements Scheme {
        @Override
        public String name() {
            return "boasting";
        }

        @Override
        public QueuePairCounts ofNode(Cluster cluster) {
            return RC.ofNode(cluster);
        }

        @Override
        public Stream<PlannedQueuePairs> wires(RdmaNetwork network, BareCluster bare) {
            return RC.wires(network, bare).skip(1);
        }

        @Override
        public Stream<MeshEnd> ends(
                RdmaNetwork network, Cluster cluster, int node, List<BareCluster.Process> processes) {
            return RC.ends(network, cluster, node, processes);
        }
    }

    @Test
    void aSchemeThatContradictsItsFormulaIsRefused() {
        assertThatThrownBy(() -> gauge.measure(new Boasting(), new Cluster(2, 40)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("boasting made 3198 queue pairs, but its formula gives 3200");
    }
}
