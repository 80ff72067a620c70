// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/** Cause that ended a {@link Waiter}'s wait. These are all that there are. */
public enum WakeCause {
    /** The notification of an armed queue. */
    AS_NOTIFY,
    /** The interrupt that firmware raised because the host's unit did not deliver the notification. */
    MSI_FALLBACK
}
