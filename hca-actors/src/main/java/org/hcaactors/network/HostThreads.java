// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.actors.device.AdapterHandle;

/**
 * Threads that completion queues wake, as the host of an adapter has them.
 *
 * <p>Threads: any. Limits: none.
 */
public final class HostThreads {
    private final AdapterHandle adapter;

    HostThreads(AdapterHandle adapter) {
        this.adapter = adapter;
    }

    /** Whether the host's unit carries notifications to threads, from now on; while it does not, firmware raises an interrupt for each. */
    public void turnNotifyUnit(boolean on) {
        adapter.turnNotifyUnit(on);
    }

    /** The thread of that number ends, whosever it is; nothing happens where there is none. */
    public void end(int waiter) {
        adapter.host().endThread(waiter);
    }
}
