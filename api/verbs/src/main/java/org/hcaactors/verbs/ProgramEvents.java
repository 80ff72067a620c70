// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Events on their way to the program, which the C side stores until it fetches them. Any thread; does not wait. */
interface ProgramEvents {
    /** An armed completion queue has an entry. */
    void completion(long cookie);

    /**
     * An asynchronous event.
     *
     * @param type as {@code enum ibv_event_type}
     * @param element cookie of the object, or number of the port
     */
    void asynchronous(long contextCookie, int type, long element);

    /** Returns the events that the routines of the C side take. */
    static ProgramEvents of(Routines routines) {
        return new Called(
                routines.function(Calls.ROUTINE_COMPLETION_EVENT), routines.function(Calls.ROUTINE_ASYNC_EVENT));
    }

    /** The routines. */
    record Called(MemorySegment completion, MemorySegment asynchronous) implements ProgramEvents {
        private static final MethodHandle COMPLETION =
                Routines.caller(FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
        private static final MethodHandle ASYNCHRONOUS = Routines.caller(
                FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

        @Override
        public void completion(long cookie) {
            try {
                COMPLETION.invokeExact(completion, cookie);
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        @Override
        public void asynchronous(long contextCookie, int type, long element) {
            try {
                ASYNCHRONOUS.invokeExact(asynchronous, contextCookie, type, element);
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
