// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;

/** Shared receive queues of an XRC domain that requests may name. Any thread. */
public interface XrcSrqLookup {
    /** Returns the number of the XRC domain. */
    int number();

    /** Adds a queue that can be named from now on. */
    void add(SharedReceiveHandle queue);

    /** Removes a queue; without effect if it is not present. */
    void remove(SharedReceiveHandle queue);

    Optional<SharedReceiveHandle> find(int queue);
}
