// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/**
 * What a scheme takes of a cluster.
 *
 * @param scheme its name
 * @param ofNode by the scheme's formula, as whatever was built confirmed
 * @param by what the heap is from: this cluster, or the largest one that was measured
 * @param origin which of these
 */
public record Row(String scheme, Cluster cluster, QueuePairCounts ofNode, Measurement by, Origin origin) {
    /** Where a row's heap is from. These are all that there are. */
    public enum Origin {
        /** It was built. */
        MEASURED,
        /** It has more queue pairs than were to be built. */
        BEYOND_THE_BOUND,
        /** The JVM's heap may not become as large as it would need. */
        BEYOND_THE_HEAP
    }

    public boolean isMeasured() {
        return origin == Origin.MEASURED;
    }

    /** Of one node, in bytes: measured, or so many times what one queue pair took on average. */
    public long heapBytesOfNode() {
        return isMeasured() ? by.heapBytes() / cluster.nodes() : Math.round(ofNode.total() * by.bytesEach());
    }
}
