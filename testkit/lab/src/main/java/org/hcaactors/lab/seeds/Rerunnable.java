// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;

/** A test that can be rerun in other worlds, so that a failed run can be shrunk. */
public interface Rerunnable extends Shrinker.Program {
    /** Returns the language of its source. */
    Language language();

    /**
     * Returns the source to paste for the shrunk run.
     *
     * @throws IllegalArgumentException if it arms faults with user code
     */
    String source(Shrunk shrunk);
}
