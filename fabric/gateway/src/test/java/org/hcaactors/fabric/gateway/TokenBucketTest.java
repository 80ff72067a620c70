// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @ValueSource(longs = {0, -SECOND, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2})
    void aFullBucketGivesItsCapacityAtOnce(long now) {
        TokenBucket bucket = TokenBucket.of(10, 3);
        assertThat(bucket.tryTake(1, now)).isTrue();
        assertThat(bucket.tryTake(2, now)).isTrue();
        assertThat(bucket.tryTake(1, now)).isFalse();
    }

    @Test
    void tokensComeAtTheRate() {
        TokenBucket bucket = TokenBucket.of(10, 3);
        bucket.tryTake(3, 0);
        assertThat(bucket.availableAt(1, 0)).isEqualTo(SECOND / 10);
        assertThat(bucket.tryTake(1, SECOND / 10 - 1)).isFalse();
        assertThat(bucket.tryTake(1, SECOND / 10)).isTrue();
        assertThat(bucket.availableAt(2, SECOND / 10)).isEqualTo(3 * SECOND / 10);
    }

    @Test
    void aBucketIsNeverMoreThanFull() {
        TokenBucket bucket = TokenBucket.of(10, 3);
        bucket.tryTake(3, 0);
        long later = 100 * SECOND;
        assertThat(bucket.tryTake(3, later)).isTrue();
        assertThat(bucket.tryTake(1, later)).isFalse();
    }

    @Test
    void aFullBucketGivesMoreThanItsCapacityOnce() {
        TokenBucket bucket = TokenBucket.of(10, 3);
        assertThat(bucket.tryTake(5, 0)).isTrue();
        assertThat(bucket.tryTake(5, SECOND / 2 - 1)).isFalse();
        assertThat(bucket.availableAt(5, 0)).isEqualTo(SECOND / 2);
        assertThat(bucket.tryTake(5, SECOND / 2)).isTrue();
    }

    @Test
    void takingAtTheAvailableTimeAlwaysSucceeds() {
        TokenBucket bucket = TokenBucket.of(1_000_000, 7);
        long now = 0;
        for (int i = 0; i < 1000; i++) {
            int tokens = 1 + i % 9;
            now = bucket.availableAt(tokens, now);
            assertThat(bucket.tryTake(tokens, now)).isTrue();
        }
        // 4,996 tokens, 7 of which were there
        assertThat(now).isBetween(4_980_000L, 5_010_000L);
    }

    @Test
    void anUnlimitedBucketIsAlwaysFull() {
        TokenBucket bucket = TokenBucket.unlimited();
        for (int i = 0; i < 100; i++) {
            assertThat(bucket.tryTake(Integer.MAX_VALUE, 5)).isTrue();
            assertThat(bucket.availableAt(Integer.MAX_VALUE, 5)).isEqualTo(5);
        }
    }
}
