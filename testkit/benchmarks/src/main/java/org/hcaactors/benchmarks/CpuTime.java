// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the JVM per operation, all threads together; the minimum of several rounds. Other load on the machine affects it
 * less than elapsed time.
 */
public final class CpuTime implements InternalProfiler {
    static final String LABEL = "cpu";

    private long began;

    /** Returns the CPU time of this JVM in nanoseconds. */
    public static long nanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    @Override
    public String getDescription() {
        return "CPU time of an operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        began = nanos();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double each = (double) (nanos() - began) / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(LABEL, each, "ns/op", AggregationPolicy.MIN));
    }
}
