// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;

/**
 * Memory, queue sizes and terms of two ends.
 *
 * @param attributes of a reliable connection, as the first end has them; other transports take of them what they know
 * @param cqEntries of each completion queue
 * @param memoryBytes at each end
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
