// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

/**
 * Memory that the requests of a recording name by one key.
 *
 * @param rkey remote key
 * @param address lowest address that a request names
 * @param bytes from there to the end of the request that reaches farthest
 */
public record RecordedMemory(int rkey, long address, long bytes) {
    /** Returns the smallest memory of the key that also has these bytes. */
    RecordedMemory with(long otherAddress, long otherBytes) {
        long start = Long.compareUnsigned(otherAddress, address) < 0 ? otherAddress : address;
        long end = Math.max(address - start + bytes, otherAddress - start + otherBytes);
        return new RecordedMemory(rkey, start, end);
    }
}
