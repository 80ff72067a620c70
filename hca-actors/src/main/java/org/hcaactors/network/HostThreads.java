// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.actors.device.AdapterHandle;

/**
 * The threads of an adapter's host that completion queues wake.
 *
 * <p>Threads: any. Limits: none.
 */
public final class HostThreads {
    private final AdapterHandle adapter;

    HostThreads(AdapterHandle adapter) {
        this.adapter = adapter;
    }

    /** Enables or disables the host's notify unit. While it is disabled, firmware raises an interrupt for each notification. */
    public void turnNotifyUnit(boolean on) {
        adapter.turnNotifyUnit(on);
    }

    /** Ends the thread of that number, of any process; without effect if there is none. */
    public void end(int waiter) {
        adapter.host().endThread(waiter);
    }
}
