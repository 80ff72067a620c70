// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;

/** The shared receive queues that peers may name. Any thread. */
public interface XrcSrqLookup {
    /** Of their XRC domain. */
    int number();

    /** It can be named from now on. */
    void add(SharedReceiveHandle queue);

    /** It can be named no more; nothing where it could not. */
    void remove(SharedReceiveHandle queue);

    Optional<SharedReceiveHandle> find(int queue);
}
