// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C side's table of functions. Any thread.
 *
 * @param table address of the pointers
 */
record Routines(long table) {
    /** Returns a function by its index in the contract. */
    MemorySegment function(int index) {
        return MemorySegment.ofAddress(AddressSpace.getLong(table + (long) index * Long.BYTES));
    }

    /** Returns what calls a function, which is its first argument. */
    static MethodHandle caller(FunctionDescriptor signature) {
        return Linker.nativeLinker().downcallHandle(signature);
    }

    /** Returns what calls a function that is short, calls nothing back, and may get arrays of the heap. */
    static MethodHandle shortCaller(FunctionDescriptor signature) {
        return Linker.nativeLinker().downcallHandle(signature, Linker.Option.critical(true));
    }
}
