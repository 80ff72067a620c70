package org.hcaactors.lab.planted;

import java.util.Optional;

/** What looks for a planted bug: seeds of a sweep, rounds of a soak, the search of a model checker. */
public interface Hunt {
    /** A sentence that says what found the bug and how it shows; nothing if it was not found. */
    Optional<String> find() throws Exception;

    /** The long form: nothing is skipped because it is known to find nothing. */
    default Hunt whole() {
        return this;
    }
}
