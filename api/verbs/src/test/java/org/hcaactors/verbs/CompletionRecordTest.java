// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;

class CompletionRecordTest {
    private final Words words = new Words();

    private int serviceLevel(WorkCompletion.Details details, Profile profile) {
        WorkCompletion completion = new WorkCompletion(1, Status.SUCCESS, CompletionKind.RECV, 3, 48, details);
        WallClock clock = new WallClock(() -> 0, 1, 1);
        CompletionRecord.write(words.address(), completion, clock, DeviceWords.isMlx5(profile));
        return words.getInt(Calls.Completion.SERVICE_LEVEL);
    }

    private static WorkCompletion.Details datagram(boolean ipv4) {
        return WorkCompletion.Details.NONE.with(Datagram.from(7).withIpv4(ipv4));
    }

    // rule ud-network-header
    @Test
    void mlx5HasTheKindOfHeaderAsServiceLevel() {
        assertThat(serviceLevel(datagram(true), Profile.CONNECTX_6)).isEqualTo(10);
        assertThat(serviceLevel(datagram(false), Profile.CONNECT_IB)).isEqualTo(9);
    }

    // rule ud-network-header
    @Test
    void otherAdaptersHaveNoServiceLevel() {
        assertThat(serviceLevel(datagram(true), Profile.SOFT_ROCE)).isZero();
        assertThat(serviceLevel(datagram(true), Profile.CONNECTX_3)).isZero();
    }

    @Test
    void whatIsNoDatagramHasNoServiceLevel() {
        assertThat(serviceLevel(WorkCompletion.Details.NONE, Profile.CONNECTX_6))
                .isZero();
    }
}
