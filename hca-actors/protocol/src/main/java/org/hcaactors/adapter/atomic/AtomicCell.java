// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import org.hcaactors.api.work.AtomicValue;

/** Location in memory of the value that an atomic changes. */
public interface AtomicCell {
    /** Number of the first 64-byte cache line that the value lies in. */
    long firstLine();

    /** Number of the last cache line that the value lies in. */
    long lastLine();

    AtomicValue load();

    void store(AtomicValue value);

    /**
     * Stores {@code next} if the value is still {@code expected}, atomically also for the host's processors; only for up to 8
     * bytes.
     */
    boolean replace(AtomicValue expected, AtomicValue next);
}
