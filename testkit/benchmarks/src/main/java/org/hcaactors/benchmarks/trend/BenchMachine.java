// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * What rounds ran on. Ratios of different ones differ, too.
 *
 * @param cores that the JVM may use
 * @param jvm name and version
 * @param system name and processor
 */
public record BenchMachine(int cores, String jvm, String system) {
    public static BenchMachine ours() {
        return new BenchMachine(
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    }

    @Override
    public String toString() {
        return jvm + ", " + cores + (cores == 1 ? " core, " : " cores, ") + system;
    }
}
