// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

/** Who is told of a process's own loads and stores, before each, on its thread: the bench is. */
@FunctionalInterface
public interface ProcessAccesses {
    /** Nobody is. */
    ProcessAccesses NONE = (address, lengthBytes, writes) -> {};

    void accessed(long address, long lengthBytes, boolean writes);
}
