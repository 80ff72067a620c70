// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

/** Names by which the JUnit extension and the listener of the same JVM agree on a seed. */
public final class SeedReport {
    /** Key of the report entry with the {@linkplain SeedEndText end} of a seed that did not fail. */
    public static final String KEY = "rdma.node.end";

    private SeedReport() {}

    /** Returns the display name of a seed. */
    public static String displayName(long seed) {
        return "seed " + seed;
    }
}
