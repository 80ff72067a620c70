// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/** What ended a {@link Waiter}'s wait. These are all that there are. */
public enum WakeCause {
    /** The notification of an armed queue reached the thread. */
    AS_NOTIFY,
    /** The host's unit did not deliver the notification, and the interrupt that firmware raised instead woke the thread. */
    MSI_FALLBACK
}
