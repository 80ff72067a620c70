// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.rc.RcConversation.WireProfile;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.junit.jupiter.api.Test;

/** With any faults of the wire, the result of an RC conversation equals that of its requests executed one after the other. */
class RcModelTest {
    private static final int SEEDS = 15;

    private static RcConnection attributes(long seed) {
        return RcConnection.DEFAULT
                .withMtu(PathMtu.BYTES_256)
                .withRdAtomic(1 + (int) (seed % 4))
                .withTimeoutCode(2)
                .withRetryCount(7)
                .withRnrRetry(7)
                .withMinRnrTimerCode(1)
                .withSendPsn(seed % 2 == 0 ? 0xFF_FFF0 : (int) seed)
                .withReceivePsn((int) (seed * 7919) & 0xFF_FFFF);
    }

    private static RcConversation hold(long seed, Profile profile, WireProfile weather) {
        RcConversation talk = new RcConversation(seed, attributes(seed), profile, weather, 1400);
        talk.rig.a.keepsPackets = seed % 3 == 0;
        talk.rig.b.keepsPackets = seed % 3 == 0;
        try {
            talk.hold(30);
            talk.check();
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
        }
        return talk;
    }

    @Test
    void onALosslessWireNothingIsResent() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RcConversation talk = hold(seed, Profile.CONNECTX_5, WireProfile.LOSSLESS);
            for (Side side : new Side[] {talk.rig.a, talk.rig.b}) {
                assertThat(side.retransmissions).isEmpty();
                assertThat(side.discarded).isEmpty();
                assertThat(side.counters.keySet())
                        .isSubsetOf(Counter.RX_WRITE_REQUESTS, Counter.RX_READ_REQUESTS, Counter.RX_ATOMIC_REQUESTS);
            }
        }
    }

    @Test
    void lossDuplicationAndReorderingHaveTheEffectsOfTheModel() {
        for (long seed = 0; seed < SEEDS; seed++) {
            hold(seed, Profile.SOFT_ROCE, WireProfile.LOSSY);
        }
    }

    @Test
    void lateReceivesHaveTheEffectsOfTheModel() {
        for (long seed = 0; seed < SEEDS; seed++) {
            hold(seed, Profile.SOFT_ROCE, WireProfile.LOSSY.withReceivesEvery(20_000));
            hold(seed, Profile.CONNECTX_5, WireProfile.LOSSLESS.withReceivesEvery(20_000));
        }
    }

    @Test
    void lateAndRevokedLeasesHaveTheEffectsOfTheModel() {
        for (long seed = 0; seed < SEEDS; seed++) {
            hold(seed, Profile.SOFT_ROCE, WireProfile.LOSSY.withLeases(6000, 20));
            hold(seed, Profile.CONNECTX_5, WireProfile.LOSSLESS.withLeases(6000, 20));
        }
    }

    @Test
    void drainsAndContinuesHaveTheEffectsOfTheModel() {
        for (long seed = 0; seed < SEEDS; seed++) {
            hold(seed, Profile.SOFT_ROCE, WireProfile.LOSSY.withDrains(3).withLeases(3000, 5));
        }
    }
}
