// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.SrqDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

// rule receive-size
/** Sizes of shared receive queues. */
class SrqChecksTest {
    private static final SharedReceiveCapabilities LIMITS =
            SharedReceiveCapabilities.NONE.withMaxWr(1000).withMaxSge(4);

    private static int capacity(SharedReceiveCapabilities limits, int receives) {
        return new SrqChecks(limits).capacity(SrqDescription.of(receives)).maxWr();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "2, 3",
        "3, 3",
        "4, 7",
        "10, 15",
        "127, 127",
        "128, 255",
        "511, 511",
        "512, 1000",
        "1000, 1000"
    })
    void theCapacityIsThePowerOfTwoAboveLessOne(int requested, int actual) {
        assertThat(capacity(LIMITS, requested)).isEqualTo(actual);
    }

    @ParameterizedTest
    @CsvSource({"-1", "1001"})
    void aNumberOutsideTheLimitsIsRefused(int requested) {
        assertThatThrownBy(() -> capacity(LIMITS, requested))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: maxWr is " + requested + "; 0 to 1000 is allowed");
    }

    @Test
    void anAdapterWithoutSharedReceiveQueuesRefusesAnEmptyOne() {
        assertThatThrownBy(() -> capacity(SharedReceiveCapabilities.NONE, 0)).isInstanceOf(VerbsException.class);
    }
}
