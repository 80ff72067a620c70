// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Optional;
import java.util.OptionalLong;

/** What looks for a planted bug: seeds of a sweep, rounds of a soak, the search of a model checker. */
public interface Hunt {
    /**
     * A bug that was found.
     *
     * @param where it showed
     * @param seed that showed it, where a seed did
     * @param why what was thrown by what found it
     */
    record Find(String where, OptionalLong seed, Throwable why) {
        Find(String where, Throwable why) {
            this(where, OptionalLong.empty(), why);
        }

        @Override
        public String toString() {
            return where + ": " + why.getMessage();
        }
    }

    /** Nothing if it finds no bug. */
    Optional<Find> find() throws Exception;

    /** The same, but from that seed on; one that has no seeds stays as it is. */
    default Hunt beginningAt(long seed) {
        return this;
    }

    /** The short form, which shows that what it hunts with finds nothing where there is no bug. */
    default Hunt few() {
        return this;
    }

    /** The long form: nothing is skipped because it is known to find nothing. */
    default Hunt whole() {
        return this;
    }
}
