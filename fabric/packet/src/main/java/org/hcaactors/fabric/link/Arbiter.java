// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.Objects;
import java.util.function.Consumer;

/** Calls the fabric's interceptor, if one is set, for a verdict on each packet. */
final class Arbiter {
    private final Consumer<Throwable> exceptionHandler;
    private Interceptor interceptor = Interceptor.NONE;

    /** @param exceptionHandler receives exceptions of the interceptor */
    Arbiter(Consumer<Throwable> exceptionHandler) {
        this.exceptionHandler = exceptionHandler;
    }

    void setInterceptor(Interceptor requested) {
        interceptor = requested;
    }

    /** True if there is no interceptor: every packet passes. */
    boolean isIdle() {
        return interceptor == Interceptor.NONE;
    }

    /** Returns the interceptor's verdict; PASS if it throws. */
    Verdict verdict(PacketInTransit transit) {
        try {
            Verdict verdict =
                    Objects.requireNonNull(interceptor.judge(transit), "the verdict of an interceptor is null");
            int frameBytes = transit.packet().frameBytes();
            if (verdict instanceof Verdict.Corrupt bad && bad.flip().byteIndex() >= frameBytes) {
                throw new IllegalArgumentException(bad + " is outside the frame of " + frameBytes + " bytes");
            }
            return verdict;
        } catch (RuntimeException | AssertionError thrown) {
            exceptionHandler.accept(thrown);
            return Verdict.PASS;
        }
    }
}
