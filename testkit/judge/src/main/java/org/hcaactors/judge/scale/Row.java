// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/**
 * Cost of a scheme in a cluster.
 *
 * @param scheme its name
 * @param ofNode queue pairs per node by the scheme's formula, confirmed for every mesh that was built
 * @param by measurement behind the heap figure: of this cluster, or of the largest one that was measured
 * @param origin which of these
 */
public record Row(String scheme, Cluster cluster, QueuePairCounts ofNode, Measurement by, Origin origin) {
    /** Origin of a row's heap figure. The constants are all that exist. */
    public enum Origin {
        /** The mesh was built. */
        MEASURED,
        /** It has more queue pairs than the bound allows to build. */
        BEYOND_THE_BOUND,
        /** It would need more heap than the JVM may have. */
        BEYOND_THE_HEAP
    }

    public boolean isMeasured() {
        return origin == Origin.MEASURED;
    }

    /** Returns the heap of one node in bytes: measured, or its queue pairs times the mean of one. */
    public long heapBytesOfNode() {
        return isMeasured() ? by.heapBytes() / cluster.nodes() : Math.round(ofNode.total() * by.bytesEach());
    }
}
