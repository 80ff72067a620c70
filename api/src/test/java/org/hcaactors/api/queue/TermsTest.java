// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connection attributes and queue sizes: one number per method, so that no two can be swapped. */
class TermsTest {
    @Test
    void aWitherOfAConnectionChangesItsOwnTermAlone() {
        RcConnection attributes = RcConnection.DEFAULT
                .withTimeoutCode(1)
                .withRetryCount(2)
                .withRnrRetry(3)
                .withMinRnrTimerCode(4)
                .withRdAtomic(5)
                .withSendPsn(6)
                .withReceivePsn(7);
        assertThat(attributes)
                .hasToString("RcConnection[BYTES_1024, " + AccessFlags.LOCAL_AND_REMOTE + ", 5, 1, 2, 3, 4, 6, 7]");
    }

    // rule rc-timeout
    @ParameterizedTest
    @CsvSource({
        "PT0.000000001S, 1",
        "PT0.000008192S, 1",
        "PT0.000008193S, 2",
        "PT0.067108864S, 14",
        "PT0.067108865S, 15",
        "PT1H, 30",
        "PT2H26M36.093022208S, 31"
    })
    void aTimeoutIsRoundedUpToACode(Duration min, int code) {
        assertThat(RcConnection.DEFAULT.withTimeout(min).timeoutCode()).isEqualTo(code);
    }

    // rule rc-rnr-wait
    @ParameterizedTest
    @CsvSource({
        "PT0.000000001S, 1",
        "PT0.00001S, 1",
        "PT0.000010001S, 2",
        "PT0.00003S, 3",
        "PT0.00005S, 5",
        "PT0.00064S, 12",
        "PT0.49152S, 31",
        "PT0.491520001S, 0",
        "PT0.65536S, 0"
    })
    void anRnrTimerIsRoundedUpToACode(Duration min, int code) {
        assertThat(RcConnection.DEFAULT.withMinRnrTimer(min).minRnrTimerCode()).isEqualTo(code);
    }

    @Test
    void aTimeThatNoCodeHasIsRefusedWithTheLongest() {
        assertThatThrownBy(() -> RcConnection.DEFAULT.withTimeout(Duration.parse("PT2H26M36.093022209S")))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: the timeout is PT2H26M36.093022209S; more than 0, and at most "
                        + "PT2H26M36.093022208S, is allowed");
        assertThatThrownBy(() -> RcConnection.DEFAULT.withMinRnrTimer(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("at most PT0.65536S");
        for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatThrownBy(() -> RcConnection.DEFAULT.withTimeout(none)).isInstanceOf(VerbsException.class);
            assertThatThrownBy(() -> RcConnection.DEFAULT.withMinRnrTimer(none)).isInstanceOf(VerbsException.class);
        }
    }

    @Test
    void descriptionsListTheirAttributes() {
        assertThat(QpDescription.rc().withCapacity(QpCapacity.of(8)).withSignalAll())
                .hasToString("RC queue pair, QpCapacity[8, 8, 4, 4, 256], sends complete on its own completion queue, "
                        + "receives complete on the same queue, signaling all");
        assertThat(SrqDescription.of(8)).hasToString("shared receive queue, 8 receives of 4 elements");
        assertThat(CqDescription.of(8).withTimestamps())
                .hasToString("completion queue of 8 entries, completion vector 0, with timestamps");
    }

    @Test
    void aSharedReceiveQueueIsDescribedByItsReceivesAndTheirElements() {
        SrqDescription<SharedReceiveQueue> requested = SrqDescription.of(10);
        assertThat(requested.maxSge()).isEqualTo(SrqDescription.DEFAULT.maxSge());
        assertThat(requested.withMaxSge(2).maxSge()).isEqualTo(2);
        assertThat(requested.withMaxSge(2).maxWr()).isEqualTo(10);
        assertThat(requested.maxSge()).isEqualTo(4);
    }

    @Test
    void aTagMatchingQueueIsNotOneForXrc() {
        SrqDescription<SharedReceiveQueue> xrc =
                SrqDescription.of(10).withXrc(some(XrcDomain.class), some(CompletionQueue.class));
        assertThat(xrc.xrc()).isPresent();
        SrqDescription<TagSharedReceiveQueue> tags = xrc.withTagMatching(TagMatching.of(some(CompletionQueue.class)));
        assertThat(tags.kind()).isEqualTo(TagSharedReceiveQueue.class);
        assertThat(tags.xrc()).isEmpty();
        assertThat(tags.maxWr()).isEqualTo(10);
        assertThat(tags.withMaxSge(1).tagMatching()).isPresent();
    }

    private static <T> T some(Class<T> kind) {
        return kind.cast(
                Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (self, method, args) -> null));
    }
}
