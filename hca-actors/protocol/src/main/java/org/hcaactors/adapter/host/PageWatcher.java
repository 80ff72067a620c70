// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.adapter.flow.HcaEvent.Departure;

/** A user of an address space's pages that does not pin them, and is notified when they are invalidated. */
public interface PageWatcher {
    /** Called on the thread that invalidated the pages, afterwards; it only sends a message to an actor. */
    void invalidated(long address, long count, Departure reason);
}
