// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.lab.pair.MarkedBytes;

/**
 * Part of a memory that a request uses.
 *
 * @param own nobody else uses it until it is given back
 */
record RequestBuffer(WalkObjects.Region region, int offset, boolean own) {
    /** A cell of its own while there is one. */
    static RequestBuffer in(WalkObjects.Region region, boolean isWritten) {
        return region.memory
                .claim()
                .map(offset -> new RequestBuffer(region, offset, true))
                .orElseGet(() -> new RequestBuffer(region, isWritten ? Memory.SCRAP : Memory.ZEROES, false));
    }

    /** Only where what used it ended well and was acknowledged: of what was not, packets may still come. */
    void release() {
        if (own) {
            region.memory.release(offset);
        }
    }

    /** Puts bytes there that say whose they are, behind what they begin with, which is no longer. */
    void fill(byte[] header, long id, int bytes) {
        try {
            if (own) {
                region.memory.handle().write(offset, header);
                region.memory.handle().write(offset + header.length, MarkedBytes.of(id, bytes - header.length));
            }
        } catch (VerbsException unmapped) {
            // Its memory went, and the request will find no key either.
        }
    }
}
