// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.indirect.IndirectBugs;
import org.hcaactors.judge.sweep.WorkloadKind;

/** Bugs of indirect keys, which the sweep finds. */
public enum IndirectBug implements Planted {
    A_SLICE_GOES_ON_BEHIND_ITS_END(
            "layout-translation.end",
            IndirectBugs.GoesOn.class,
            Hunt.of(WorkloadKind.INDIRECT_KEYS).withSeeds(40)),
    PARTS_ARE_NOT_ASKED("indirect-lease.parts-answer", PagingBug.IsReady.class, Hunt.of(WorkloadKind.INDIRECT_KEYS)),
    A_PART_GOES_WHILE_IT_IS_USED(
            "granted-leases.is-free",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.INDIRECT_KEYS).withSeeds(40));

    private final Bug bug;

    IndirectBug(String point, Class<?> advice, Hunt hunt) {
        bug = new Bug(new Patch(point, advice), hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
