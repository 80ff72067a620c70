// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

/** Observer of a process's own loads and stores, called before each, on its thread; the testkit uses it. */
@FunctionalInterface
public interface ProcessAccesses {
    /** Observes nothing. */
    ProcessAccesses NONE = (address, lengthBytes, writes) -> {};

    void accessed(long address, long lengthBytes, boolean writes);
}
