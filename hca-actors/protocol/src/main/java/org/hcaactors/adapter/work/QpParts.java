// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.device.Profile;

/**
 * Parts that both halves of a queue pair are built on.
 *
 * @param requests requests posted to it
 * @param memory access to memory for its own keys and its peer's
 * @param admission admission of the peer's requests
 * @param buffer the receive of the message being received
 * @param runs allow the fast path for requests that need no decision
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
