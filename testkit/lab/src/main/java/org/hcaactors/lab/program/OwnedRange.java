// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

/**
 * Bytes of a process that an adapter owns.
 *
 * @param end address behind the last byte
 */
record OwnedRange(Host of, LentBuffers by, long first, long end) {
    /** A process on the host of an adapter. */
    record Host(String adapter, String process) {}

    boolean overlaps(long from, long to) {
        return first < to && from < end;
    }
}
