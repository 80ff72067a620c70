// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.List;
import org.hcaactors.benchmarks.trend.Figure;

/**
 * Benchmark results that are compared between builds. Stored runs identify a result by its name: rename it only if it measures
 * something else.
 */
final class Suite {
    static final List<Figure> FIGURES = List.of(
            Figure.of("RC SEND 64 B", RcSendBenchmark.class, "send64OnAdapterThread", "floorEightHops")
                    .quick(),
            Figure.of(
                    "RC SEND 64 B, callers' executor",
                    RcSendBenchmark.class,
                    "send64OnCallersExecutor",
                    "floorEightHops"),
            Figure.of("RC SEND 64 B, two shards", ShardsBenchmark.class, "send64WithinTwoShards", "floorEightHops"),
            Figure.of("RC SEND 64 B, window 1", LatencyBenchmark.class, "send64WindowOne", "floorEightHopsOneToken"),
            Figure.of("RDMA WRITE 1 MiB", WriteBenchmark.class, "write1MiB", "floorTwoCopies")
                    .quick(),
            Figure.of(
                    "RC SEND with shared receives",
                    TransportBenchmark.class,
                    "sendOverRcSharingReceives",
                    "floorEightHops"),
            Figure.of("SEND over DC", TransportBenchmark.class, "sendOverDc", "floorEightHops"),
            Figure.of(
                    "RC SEND after a warm-up with all request kinds",
                    MixedBenchmark.class,
                    "sendWhereAllWasSeen",
                    "floorSend"),
            Figure.of(
                    "WRITE after a warm-up with all request kinds",
                    MixedBenchmark.class,
                    "writeWhereAllWasSeen",
                    "writeAlone"),
            Figure.of("all request kinds interleaved", MixedBenchmark.class, "allInterleaved", "floorSend"),
            Figure.of("RC SEND with faults that never match", FaultsArmedBenchmark.class, "sendJudged", "floorSend"),
            Figure.of("RC SEND with a trace", FaultsArmedBenchmark.class, "sendTraced", "floorSend"),
            Figure.of("one world", SimulationBenchmark.class, "worldWithAllInvariants", "floorOrdinaryDispatcher"),
            Figure.of("one seed of a sweep", SimulationBenchmark.class, "sweep", "floorOrdinaryDispatcher"));

    private Suite() {}
}
