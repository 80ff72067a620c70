// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Initiators that a pool can be created of. */
class PoolShapeTest {
    private static final DciPolicy HASHED = new DciPolicy.Hashed();
    private static final DcStreams TWO = new DcStreams(1, 0);
    private static final DcStreams FOUR = new DcStreams(2, 0);

    private final FakeAdapter adapter = new FakeAdapter(3, 8, HASHED, 4);

    private DciPool of(DciPolicy policy, int... initiators) {
        return DciPool.of(
                Arrays.stream(initiators)
                        .mapToObj(index -> adapter.fakes.get(index).handle())
                        .toList(),
                DciPoolDescription.DEFAULT.withPolicy(policy));
    }

    private void refused(DciPolicy policy, String reason, int... initiators) {
        assertThatThrownBy(() -> of(policy, initiators))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: " + reason);
    }

    @Test
    void anInitiatorTwiceInAPoolIsRefused() {
        var same = adapter.fakes.getFirst().handle();
        assertThatThrownBy(() -> DciPool.of(List.of(same, same), DciPoolDescription.DEFAULT))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: an initiator is in the pool twice; each is allowed once");
    }

    @ParameterizedTest
    @EnumSource(value = QpState.class, names = "RTS", mode = EnumSource.Mode.EXCLUDE)
    void aPoolRequiresInitiatorsInRts(QpState other) {
        adapter.fakes.get(1).state = other;
        refused(HASHED, "initiator 1 of the pool is in " + other + "; RTS is required", 0, 1);
    }

    @Test
    void aPoolRequiresInitiatorsWithThePolicysStreams() {
        adapter.fakes.get(0).streams = Optional.of(FOUR);
        adapter.fakes.get(1).streams = Optional.of(TWO);
        adapter.fakes.get(2).streams = Optional.empty();
        DciPolicy four = new DciPolicy.Streams(FOUR);
        refused(four, "initiator 1 of the pool has 2 streams; policy " + four + " requires 4 or more", 0, 1);
        refused(four, "initiator 1 of the pool has 0 streams; policy " + four + " requires 4 or more", 0, 2);
        assertThat(of(new DciPolicy.Streams(TWO), 0, 1).statistics().posted()).isZero();
    }

    @Test
    void theLastInitiatorHasTheStreamsOfAHybrid() {
        adapter.fakes.get(0).streams = Optional.empty();
        adapter.fakes.get(1).streams = Optional.of(TWO);
        DciPolicy hybrid = new DciPolicy.Hybrid(2, TWO);
        refused(hybrid, "initiator 1 of the pool has 0 streams; policy " + hybrid + " requires 2 or more", 1, 0);
        assertThat(of(hybrid, 0, 1).statistics().posted()).isZero();
    }

    @Test
    void anInitiatorWithoutASendQueueIsInNoPool() {
        String reason = "EINVAL: maxSendWr of the pool's initiators is 0; 1 or more is allowed";
        assertThatThrownBy(() -> new FakeAdapter(1, 0, HASHED, 4))
                .isInstanceOf(VerbsException.class)
                .hasMessage(reason);
        DciPoolDescription requested = DciPoolDescription.DEFAULT.withInitiatorDescription(
                QpDescription.dc().withCapacity(QpCapacity.of(0)));
        assertThat(DciPool.create(untouched(), requested).toCompletableFuture().exceptionNow())
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))
                .hasMessage(reason);
    }

    private static ProtectionDomain untouched() {
        return (ProtectionDomain) Proxy.newProxyInstance(
                ProtectionDomain.class.getClassLoader(),
                new Class<?>[] {ProtectionDomain.class},
                (self, method, given) -> {
                    throw new AssertionError(method + " was called");
                });
    }
}
