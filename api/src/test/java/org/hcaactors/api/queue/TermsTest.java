// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.memory.AccessFlags;
import org.junit.jupiter.api.Test;

/** What ends agree on, and what queues are asked for: one number a method, so that no two can be swapped. */
class TermsTest {
    @Test
    void aWitherOfAConnectionChangesItsOwnTermAlone() {
        RcConnection terms = RcConnection.DEFAULT
                .withTimeoutCode(1)
                .withRetryCount(2)
                .withRnrRetry(3)
                .withMinRnrTimerCode(4)
                .withRdAtomic(5)
                .withSendPsn(6)
                .withReceivePsn(7);
        assertThat(terms)
                .hasToString("RcConnection[BYTES_1024, " + AccessFlags.LOCAL_AND_REMOTE + ", 5, 1, 2, 3, 4, 6, 7]");
    }

    @Test
    void aDescriptionSaysWhatIsAskedFor() {
        assertThat(QpDescription.rc().capacity(QpCapacity.of(8)).signalingAll())
                .hasToString("RC queue pair, QpCapacity[8, 8, 4, 4, 256], sends complete on a queue of its own, "
                        + "receives complete on the same, signaling all");
        assertThat(SrqDescription.of(8)).hasToString("shared receive queue, 8 receives of 4 elements");
        assertThat(CqDescription.of(8).withTimestamps())
                .hasToString("completion queue, 8 entries on vector 0, with timestamps");
    }

    @Test
    void aSharedReceiveQueueIsDescribedByItsReceivesAndTheirElements() {
        SrqDescription wanted = SrqDescription.of(10);
        assertThat(wanted.maxSge()).isEqualTo(SrqDescription.DEFAULT.maxSge());
        assertThat(wanted.withMaxSge(2).maxSge()).isEqualTo(2);
        assertThat(wanted.withMaxSge(2).maxWr()).isEqualTo(10);
        assertThat(wanted.maxSge()).isEqualTo(4);
    }
}
