// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.adapter.flow.HcaEvent.Departure;

/** Who uses pages of an address space without holding on to them, and is told when they go. */
public interface PageWatcher {
    /** Called on the thread that takes them, when they have gone; it only tells its actor. */
    void gone(long address, long count, Departure reason);
}
