// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/**
 * Cost of a mesh that was built in this JVM.
 *
 * @param queuePairs queue pairs of all nodes
 * @param heapBytes their heap, with the handles that programs hold, without what existed before
 * @param nanos time until the last of them was connected
 */
public record Measurement(Cluster cluster, long queuePairs, long heapBytes, long nanos) {
    /** Returns the mean heap of one queue pair. */
    public double bytesEach() {
        return heapBytes / (double) queuePairs;
    }
}
