// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

/**
 * AS-notify unit of a host, which delivers an adapter's notifications to threads. While it is off, firmware raises interrupts
 * instead (rule notify-unit-off). Any thread.
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
