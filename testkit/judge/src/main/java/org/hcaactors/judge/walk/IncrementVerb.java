// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;

// rule atomic-masked-add
/** Ways to add one to an eight-byte word: in any mixture, the word counts them all. */
enum IncrementVerb {
    PLAIN {
        @Override
        RcWork work(long id, LocalSlice local, RemoteAddress remote) {
            return FetchAdd.of(id, local, remote, 1);
        }
    },

    /** One addition over the whole word. */
    MASKED {
        @Override
        RcWork work(long id, LocalSlice local, RemoteAddress remote) {
            return MaskedFetchAdd.of(id, local, remote, 1);
        }
    },

    /** Adds to the lower of two fields, and nothing to the other. */
    FIELD {
        @Override
        RcWork work(long id, LocalSlice local, RemoteAddress remote) {
            return MaskedFetchAdd.of(id, local, remote, 1).withBoundary(ENDS);
        }
    },

    /** Adds to its lower half, which is first in memory: hosts of a walk are little-endian. */
    HALF {
        @Override
        int bytes() {
            return Integer.BYTES;
        }

        @Override
        RcWork work(long id, LocalSlice local, RemoteAddress remote) {
            return MaskedFetchAdd.of(id, local, remote, AtomicValue.ofInt(1));
        }
    };

    private static final long ENDS = 0x8000_0000_8000_0000L;

    int bytes() {
        return Long.BYTES;
    }

    /**
     * True if the adapter supports it.
     *
     * @param masked supported sizes of masked atomics, as a bit mask
     */
    boolean isOf(int masked) {
        return this == PLAIN || (masked & bytes()) != 0;
    }

    abstract RcWork work(long id, LocalSlice local, RemoteAddress remote);
}
