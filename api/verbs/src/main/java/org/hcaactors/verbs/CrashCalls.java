// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;

/**
 * The end of the process by a fault or by {@code abort()}, which the C side delays until the run is written. One thread.
 *
 * @param await routine that waits for the end
 * @param written routine that lets the process end
 */
record CrashCalls(MemorySegment await, MemorySegment written) {
    private static final MethodHandle AWAIT =
            Routines.caller(FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle WRITTEN = Routines.caller(FunctionDescriptor.ofVoid());

    static CrashCalls of(Routines routines) {
        return new CrashCalls(
                routines.function(Calls.ROUTINE_CRASH_AWAIT), routines.function(Calls.ROUTINE_CRASH_WRITTEN));
    }

    /** Waits so long; true if the process ends. */
    boolean await(Duration longest) {
        try {
            return (int) AWAIT.invokeExact(await, (int) longest.toMillis()) != 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The process may end. */
    void end() {
        try {
            WRITTEN.invokeExact(written);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
