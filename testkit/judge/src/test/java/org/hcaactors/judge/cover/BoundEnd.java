// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import org.hcaactors.api.work.KeyWork;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.world.World;

/** A ready queue pair to which type 2 windows are bound. */
record BoundEnd(World world, End end) {
    void carriesOut(KeyWork work) {
        if (!world.await(end.submit(work)).isSuccess()) {
            throw new AssertionError(work + " failed");
        }
    }
}
