// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.indirect.IndirectBugs;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of keys that show memory of other keys, which the sweep finds. */
public enum IndirectBug implements Planted {
    A_SLICE_GOES_ON_BEHIND_ITS_END(new Patch("indirect.Translated", "end", IndirectBugs.GoesOn.class)),
    PARTS_ARE_NOT_ASKED(Patch.without("indirect.IndirectLease", "answer", "partsAnswer")),
    A_PART_GOES_WHILE_IT_IS_USED(new Patch("key.Grants", "isFree", Wrongs.SaysYes.class));

    private final Patch patch;

    IndirectBug(Patch patch) {
        this.patch = patch;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200).with(Swarm.OFF);
    }
}
