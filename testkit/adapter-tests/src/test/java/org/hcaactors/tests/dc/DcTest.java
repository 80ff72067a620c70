// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

class DcTest {
    @RdmaTest(watch = Watch.PROTOCOL)
    void oneInitiatorReachesTwoTargetsWithEveryVerb(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = ground.initiator(world.adapter("a"));
        DcSetup.TargetSide first = ground.asked(world.adapter("b"));
        DcSetup.TargetSide second = ground.asked(world.adapter("c"));
        long id = 1;
        for (DcSetup.TargetSide asked : new DcSetup.TargetSide[] {first, second, first}) {
            DcAddress to = initiator.to(asked);
            asked.receive(id, 64);
            assertThat(initiator.submit(to, Send.of(id, initiator.slice(0, 64))).status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(asked.polled().workId()).isEqualTo(id);
            id++;
            assertThat(initiator
                            .submit(to, RdmaWrite.of(id, initiator.slice(0, 4000), asked.remote(4096)))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(initiator
                            .submit(to, RdmaRead.of(id, initiator.slice(0, 4000), asked.remote(4096)))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(initiator
                            .submit(to, FetchAdd.of(id, initiator.slice(0, 8), asked.remote(0), 5))
                            .status())
                    .isEqualTo(Status.SUCCESS);
        }
    }
}
