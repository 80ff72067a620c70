// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.List;
import org.hcaactors.benchmarks.trend.ComparedBenchmark;

/**
 * Benchmark results that are compared between builds. Stored runs identify a result by its name: rename it only if it measures
 * something else.
 */
final class ComparedBenchmarks {
    static final List<ComparedBenchmark> FIGURES = List.of(
            ComparedBenchmark.of("RC SEND 64 B", RcSendBenchmark.class, "send64OnAdapterThread", "floorEightHops")
                    .quick(),
            ComparedBenchmark.of(
                    "RC SEND 64 B, callers' executor",
                    RcSendBenchmark.class,
                    "send64OnCallersExecutor",
                    "floorEightHops"),
            ComparedBenchmark.of(
                    "RC SEND 64 B, two shards", ShardsBenchmark.class, "send64WithinTwoShards", "floorEightHops"),
            ComparedBenchmark.of(
                    "RC SEND 64 B, window 1", LatencyBenchmark.class, "send64WindowOne", "floorEightHopsOneToken"),
            ComparedBenchmark.of("RDMA WRITE 1 MiB", WriteBenchmark.class, "write1MiB", "floorTwoCopies")
                    .quick(),
            ComparedBenchmark.of(
                    "RC SEND with shared receives",
                    TransportBenchmark.class,
                    "sendOverRcSharingReceives",
                    "floorEightHops"),
            ComparedBenchmark.of("SEND over DC", TransportBenchmark.class, "sendOverDc", "floorEightHops"),
            ComparedBenchmark.of(
                    "RC SEND after a warm-up with all request kinds",
                    MixedBenchmark.class,
                    "sendWhereAllWasSeen",
                    "floorSend"),
            ComparedBenchmark.of(
                    "WRITE after a warm-up with all request kinds",
                    MixedBenchmark.class,
                    "writeWhereAllWasSeen",
                    "writeAlone"),
            ComparedBenchmark.of("all request kinds interleaved", MixedBenchmark.class, "allInterleaved", "floorSend"),
            ComparedBenchmark.of(
                    "RC SEND with faults that never match", FaultsArmedBenchmark.class, "sendJudged", "floorSend"),
            ComparedBenchmark.of("RC SEND with a trace", FaultsArmedBenchmark.class, "sendTraced", "floorSend"),
            ComparedBenchmark.of(
                    "one world", SimulationBenchmark.class, "worldWithAllInvariants", "floorOrdinaryDispatcher"),
            ComparedBenchmark.of("one seed of a sweep", SimulationBenchmark.class, "sweep", "floorOrdinaryDispatcher"));

    private ComparedBenchmarks() {}
}
