// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.hcaactors.adapter.atomic.EightBytes;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeasesTest {
    private final MappedMemory memory = new ModelledSpace().allocate(4096);

    private Region region(int key) {
        return new Region(key, 1, memory.address(), 4096, AccessFlags.LOCAL_AND_REMOTE, memory);
    }

    private Lease lease(int key) {
        return region(key).lease(key, grant -> {}, List.of());
    }

    @ParameterizedTest(name = "{0} bytes in, {1} long: {2}")
    @CsvSource({
        "0, 4096, true",
        "0, 4097, false",
        "4097, 0, true",
        "4095, 1, true",
        "4095, 2, false",
        "-1, 1, false",
        "1, 9223372036854775807, false",
        "9223372036854775807, 1, false"
    })
    void aLeaseCoversItsRangeAndNothingElse(long offset, long count, boolean covered) {
        long from = memory.address() + offset;
        assertThat(lease(1).answer(new KeyUser(1, 17), from, count, Access.REMOTE_READ))
                .isEqualTo(
                        covered
                                ? Lease.Ready.READY
                                : new Lease.Denied(new Denial.OutOfRange(memory.address(), 4096, from, count)));
    }

    // rule memory-leases-bounded
    @Test
    void theCacheKeepsSixtyFourAndDropsTheOneUsedLongestAgo() {
        LeaseCache cache = new LeaseCache();
        for (int key = 0; key < LeaseCache.CAPACITY; key++) {
            assertThat(cache.granted(lease(key))).isEmpty();
        }
        cache.find(0);
        assertThat(cache.granted(lease(100))).map(Lease::key).contains(1);
        assertThat(cache.find(0)).isNotNull();
        assertThat(cache.find(1)).isNull();
        assertThat(cache.releaseAll()).hasSize(LeaseCache.CAPACITY);
        assertThat(cache.find(0)).isNull();
    }

    @Test
    void theLeastRecentlyUsedLeaseIsDropped() {
        LeaseCache cache = new LeaseCache();
        for (int key = 0; key < LeaseCache.CAPACITY; key++) {
            cache.granted(lease(key));
        }
        for (int key = LeaseCache.CAPACITY - 1; key >= 0; key--) {
            assertThat(cache.find(key)).isNotNull();
        }
        assertThat(cache.granted(lease(100))).map(Lease::key).contains(LeaseCache.CAPACITY - 1);
        assertThat(cache.granted(lease(101))).map(Lease::key).contains(LeaseCache.CAPACITY - 2);
    }

    @Test
    void aKeyIsRequestedOnceUntilItIsAnswered() {
        LeaseCache cache = new LeaseCache();
        assertThat(cache.request(5)).isTrue();
        assertThat(cache.request(5)).isFalse();
        cache.refused(5, new Denial.NotBound());
        assertThat(cache.refusal(5)).isEqualTo(new Denial.NotBound());
        assertThat(cache.refusal(6)).isNull();
        cache.endTurn();
        assertThat(cache.refusal(5)).isNull();
        assertThat(cache.request(5)).isTrue();
    }

    @Test
    void aRevokedGrantIsReturnedOnce() {
        LeaseCache cache = new LeaseCache();
        cache.granted(lease(5));
        assertThat(cache.revoke(5)).isPresent();
        assertThat(cache.revoke(5)).isEmpty();
    }

    @Test
    void heldAndRequestedKeysAreListed() {
        LeaseCache cache = new LeaseCache();
        cache.granted(lease(5));
        cache.request(6);
        assertThat(cache.keys()).containsExactly(5);
        assertThat(cache.requested()).containsExactly(6);
    }

    @Test
    void memoryIsAlignedAddressedAndBounded() {
        ModelledSpace space = new ModelledSpace();
        MappedMemory first = space.allocate(100);
        MappedMemory second = space.map(ByteBuffer.allocateDirect(64));
        assertThat(first.address() % 8).isZero();
        assertThat(space.at(second.address() + 60, 4)).isSameAs(second);
        assertThatThrownBy(() -> space.at(second.address() + 60, 5)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> first.read(90, 11)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> space.map(ByteBuffer.allocate(8))).hasMessageContaining("direct");
        assertThatThrownBy(() -> space.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    // rule memory-atomic
    @Test
    void atomicsWorkOnTheHostsOwnWords() {
        memory.writeLong(8, 5);
        assertThat(EightBytes.fetchAndAdd(memory, memory.address() + 8, -6)).isEqualTo(5);
        assertThat(memory.readLong(8)).isEqualTo(-1);
        assertThat(EightBytes.compareAndSwap(memory, memory.address() + 8, 0, 9))
                .isEqualTo(-1);
        assertThat(memory.readLong(8)).isEqualTo(-1);
        assertThat(EightBytes.compareAndSwap(memory, memory.address() + 8, -1, 9))
                .isEqualTo(-1);
        assertThat(memory.readLong(8)).isEqualTo(9);
    }
}
