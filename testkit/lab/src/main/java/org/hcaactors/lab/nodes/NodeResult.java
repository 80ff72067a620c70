// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import org.hcaactors.lab.seeds.SeedEnd;

/** Result of a seed that other JVMs were to run. */
public sealed interface NodeResult {
    /** The seed did not fail there. */
    record Ended(SeedEnd end) implements NodeResult {}

    /**
     * The seed failed there. The same run fails here, too, if the test depends on the seed alone.
     *
     * @param node name of the JVM
     * @param text what it threw, cut after some thousand characters
     */
    record Failed(String node, String text) implements NodeResult {}

    /** JVMs ended while they ran the seed; it may be what ends them. */
    record EndsJvms(String text) implements NodeResult {}

    /** No JVM is left that could run it. */
    record NotRun() implements NodeResult {}
}
