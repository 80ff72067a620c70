// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;

/**
 * Memory, queue sizes and attributes of two ends.
 *
 * @param attributes attributes of a reliable connection, seen from the first end; other transports use those that they have
 * @param cqEntries size of each completion queue
 * @param memoryBytes memory at each end
 */
public record Shape(RcConnection attributes, QpCapacity capacity, int cqEntries, long memoryBytes) {
    public static final Shape DEFAULT = new Shape(RcConnection.DEFAULT, QpCapacity.DEFAULT, 1000, 1 << 20);

    public Shape with(RcConnection other) {
        return new Shape(other, capacity, cqEntries, memoryBytes);
    }

    public Shape with(QpCapacity other) {
        return new Shape(attributes, other, cqEntries, memoryBytes);
    }

    public Shape withCqEntries(int entries) {
        return new Shape(attributes, capacity, entries, memoryBytes);
    }

    public Shape withMemoryBytes(long bytes) {
        return new Shape(attributes, capacity, cqEntries, bytes);
    }
}
