// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.device.Profile;

/**
 * Components that both halves of a queue pair share.
 *
 * @param requests ledger of the send queue
 * @param memory access to memory under the keys of its own requests and of its peer's
 * @param admission admission of the peer's requests
 * @param buffer receive of the message that is being received
 * @param runs true to allow the fast path that handles a run of simple requests together
 */
public record QpParts(
        QpPlan plan,
        QpSettings settings,
        SendLedger requests,
        LocalMemory memory,
        RequestAdmission admission,
        MessageBuffer buffer,
        boolean runs) {
    public Profile profile() {
        return plan.profile();
    }
}
