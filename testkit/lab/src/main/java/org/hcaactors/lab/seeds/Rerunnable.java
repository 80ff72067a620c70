// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;

/** A test that can be run again in other worlds, which is how its failed run is made small. */
public interface Rerunnable extends Shrinker.Program {
    /** In which it is written. */
    Language language();

    /**
     * What to paste for the run to which it was shrunk.
     *
     * @throws IllegalArgumentException if it arms faults with code of the user's
     */
    String source(Shrunk shrunk);
}
