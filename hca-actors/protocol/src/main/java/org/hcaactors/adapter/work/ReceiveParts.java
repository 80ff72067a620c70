// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.function.BooleanSupplier;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;

/**
 * Components that the receives of a queue pair are created from.
 *
 * @param memory access to memory in the queue pair's own protection domain
 * @param requests send queue for the adapter's own requests
 * @param canRead whether READs can be sent now
 */
public record ReceiveParts(
        QpPlan plan, LocalMemory memory, LeaseCache leases, SendLedger requests, BooleanSupplier canRead) {
    /** Returns the access to memory in the protection domain of that number. */
    public LocalMemory memoryIn(int domain) {
        return new LocalMemory(new KeyUser(domain, plan.number()), leases, plan.pageWaits());
    }
}
