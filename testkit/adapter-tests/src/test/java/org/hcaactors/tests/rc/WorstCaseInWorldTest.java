// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that fail end exactly when their attributes say. */
class WorstCaseInWorldTest {
    private final World world = World.of(1);

    @AfterEach
    void close() {
        world.close();
    }

    /** Links take no time. */
    private ConnectedPair pair(RcConnection attributes) {
        return ConnectedPair.between(
                world.network(),
                world.network().addAdapter("a", Profile.CONNECTX_5),
                world.network().addAdapter("b", Profile.CONNECTX_5),
                Shape.DEFAULT.with(attributes));
    }

    // rules rc-timeout, rc-retry-count
    @ParameterizedTest
    @CsvSource({"14, 7", "14, 0", "8, 3", "1, 6"})
    void anUnansweredRequestEndsAtItsWorstCase(int timeoutCode, int retries) {
        RcConnection attributes =
                RcConnection.DEFAULT.withTimeoutCode(timeoutCode).withRetryCount(retries);
        ConnectedPair pair = pair(attributes);
        world.network().intercept(transit -> new Verdict.Drop("everything"));
        long start = world.now();
        WorkCompletion end = world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))));
        assertThat(end.status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(attributes.worstCase().unanswered()).contains(Duration.ofNanos(world.now() - start));
    }

    // rules rc-rnr-wait, rc-rnr-count
    @ParameterizedTest
    @CsvSource({"12, 6", "12, 0", "1, 3", "0, 2"})
    void aRequestWithoutReceiveEndsAtItsWorstCase(int timerCode, int retries) {
        RcConnection attributes =
                RcConnection.DEFAULT.withMinRnrTimerCode(timerCode).withRnrRetry(retries);
        ConnectedPair pair = pair(attributes);
        long start = world.now();
        WorkCompletion end =
                world.await(pair.a().qp().submit(Send.of(1, pair.a().slice(0, 8))));
        assertThat(end.status()).isEqualTo(Status.RNR_RETRY_EXC_ERR);
        assertThat(attributes.worstCase().notReady()).contains(Duration.ofNanos(world.now() - start));
    }
}
