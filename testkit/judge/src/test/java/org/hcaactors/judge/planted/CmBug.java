// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of communication management. */
public enum CmBug implements Planted {
    A_COPY_OF_A_REQUEST_IS_ANOTHER("cm-connection.is-of", CommonAdvice.SaysNo.class, Swarm.WIRE),
    A_LOST_RTU_IS_NOT_SENT_AGAIN("cm-connections.answer-again", CommonAdvice.DoesNothing.class, Swarm.WIRE),
    AN_RTU_ESTABLISHES_NOTHING("cm-connections.establish", CommonAdvice.DoesNothing.class, Swarm.OFF);

    private final Bug bug;

    CmBug(String point, Class<?> advice, Swarm swarm) {
        bug = new Bug(
                new Patch(point, advice),
                Hunt.of(WorkloadKind.CONNECTIONS).under(swarm).withSeeds(200));
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
