// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.lab.pair.MarkedBytes;

/**
 * Part of a memory that a request uses.
 *
 * @param own true if no other request uses it until it is released
 */
record RequestBuffer(WalkObjects.Region region, int offset, boolean own) {
    /** Returns a cell of its own if there is a free one. */
    static RequestBuffer in(WalkObjects.Region region, boolean isWritten) {
        return region.memory
                .claim()
                .map(offset -> new RequestBuffer(region, offset, true))
                .orElseGet(() -> new RequestBuffer(region, isWritten ? Memory.SCRAP : Memory.ZEROES, false));
    }

    /** Releases the cell. Only after its request succeeded and was acknowledged: otherwise packets may still arrive. */
    void release() {
        if (own) {
            region.memory.release(offset);
        }
    }

    /** Fills it with the header, followed by bytes that identify the request. */
    void fill(byte[] header, long id, int bytes) {
        try {
            if (own) {
                region.memory.handle().write(offset, header);
                region.memory.handle().write(offset + header.length, MarkedBytes.of(id, bytes - header.length));
            }
        } catch (VerbsException unmapped) {
            // Its memory was unmapped, and the request will find no key either.
        }
    }
}
