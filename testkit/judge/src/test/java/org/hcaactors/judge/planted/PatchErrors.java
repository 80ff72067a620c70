// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.bytebuddy.asm.Advice;

/**
 * Exceptions that a patched method throws because of a faulty patch: they are no bug of an adapter, and a check that notices
 * them has found nothing. Exceptions of the method's callees count as the bug's effect.
 */
public final class PatchErrors {
    /** Static, since patches can reach static members only; one patch is applied at a time. */
    private static final AtomicReference<Throwable> FIRST = new AtomicReference<>();

    private PatchErrors() {}

    /** Returns the first exception since the last call. */
    static Optional<Throwable> take() {
        return Optional.ofNullable(FIRST.getAndSet(null));
    }

    /** Called by the patched method when it throws. */
    public static void leaving(Throwable thrown, String type, String method) {
        if (isOfCode(thrown) && isThrownIn(thrown, type, method)) {
            FIRST.compareAndSet(null, thrown);
        }
    }

    private static boolean isOfCode(Throwable thrown) {
        return thrown instanceof NullPointerException
                || thrown instanceof ClassCastException
                || thrown instanceof IllegalStateException
                || thrown instanceof IndexOutOfBoundsException
                || thrown instanceof NoSuchElementException
                || thrown instanceof UnsupportedOperationException
                || thrown instanceof ConcurrentModificationException
                || thrown instanceof LinkageError;
    }

    private static boolean isThrownIn(Throwable thrown, String type, String method) {
        return Arrays.stream(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("org.hcaactors."))
                .filter(frame -> !isAdvice(frame.getClassName()))
                .findFirst()
                .filter(frame -> frame.getClassName().equals(type)
                        && frame.getMethodName().equals(method))
                .isPresent();
    }

    /** True for types of advice and of replacements. */
    private static boolean isAdvice(String type) {
        return type.matches(".*Bugs?(\\$.*)?") || type.startsWith(PatchErrors.class.getPackageName());
    }

    static final class Watch {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.Thrown Throwable thrown, @Advice.Origin("#t") String type, @Advice.Origin("#m") String method) {
            if (thrown != null) {
                PatchErrors.leaving(thrown, type, method);
            }
        }
    }
}
