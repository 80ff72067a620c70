// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/**
 * Machine of a run's rounds. Ratios of different machines differ, too.
 *
 * @param cores processors that the JVM may use
 * @param jvm name and version of the JVM
 * @param system name and processor of the machine
 */
public record BenchMachine(int cores, String jvm, String system) {
    public static BenchMachine current() {
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
