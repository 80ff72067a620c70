// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

/**
 * The unit of a host that carries an adapter's notifications to its threads. While it is off, firmware raises interrupts instead
 * (rule notify-unit-off). Threads: any.
 */
public final class NotifyUnit {
    private volatile boolean on = true;

    public boolean isOn() {
        return on;
    }

    public void turn(boolean onFromNow) {
        on = onFromNow;
    }
}
