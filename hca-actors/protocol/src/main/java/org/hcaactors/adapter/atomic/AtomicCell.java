// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import org.hcaactors.api.work.AtomicValue;

/** The place in memory of a value that an atomic changes. */
public interface AtomicCell {
    /** Of 64 bytes: the first line of memory that it lies in, among all that there are. */
    long firstLine();

    /** The last one. */
    long lastLine();

    AtomicValue load();

    void store(AtomicValue value);

    /** Stores {@code next} if it is still {@code expected}, in one step for whoever does so, too; of up to 8 bytes. */
    boolean replace(AtomicValue expected, AtomicValue next);
}
