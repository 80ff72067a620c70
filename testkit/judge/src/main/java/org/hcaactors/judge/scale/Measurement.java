// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/**
 * What a mesh took that was built in this JVM.
 *
 * @param queuePairs of all nodes
 * @param heapBytes of them, with the handles that programs hold on them, and without what was there before
 * @param nanos until the last of them was connected
 */
public record Measurement(Cluster cluster, long queuePairs, long heapBytes, long nanos) {
    /** Of one queue pair, on average. */
    public double bytesEach() {
        return heapBytes / (double) queuePairs;
    }
}
