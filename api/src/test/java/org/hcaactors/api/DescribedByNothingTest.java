// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.XrcDomain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Descriptions reject null for a required object at once, not at its later use. */
@SuppressWarnings("NullAway") // nulls here, as unchecked callers may pass them
class DescribedByNothingTest {
    private static <T> T some(Class<T> kind) {
        return kind.cast(
                Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (self, method, args) -> null));
    }

    static Stream<ThrowingCallable> descriptions() {
        CompletionQueue queue = some(CompletionQueue.class);
        return Stream.of(
                () -> DcTargetDescription.of(queue, null, DcAccessKey.of(1)),
                () -> DcTargetDescription.of(null, some(SharedReceiveQueue.class), DcAccessKey.of(1)),
                () -> TagMatching.of(null),
                () -> SrqDescription.DEFAULT.withXrc(null, queue),
                () -> SrqDescription.DEFAULT.withXrc(some(XrcDomain.class), null),
                () -> QpDescription.rc().withSrq(null),
                () -> QpDescription.rc().withSendCq(null),
                () -> QpDescription.rc().withRecvCq(null),
                () -> CqDescription.of(1).withChannel(null),
                () -> CqDescription.of(1).withWaiter(null),
                () -> Registration.of(null),
                () -> Registration.of(null).withRange(0, 1),
                () -> Prefetch.of(null),
                () -> DcAddress.of(null, 1, DcAccessKey.of(1)),
                () -> UdAddress.of(null, 1, QKey.of(1)));
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    void aNullInARequiredArgumentIsRefusedAtOnce(ThrowingCallable made) {
        assertThatNullPointerException().isThrownBy(made);
    }
}
