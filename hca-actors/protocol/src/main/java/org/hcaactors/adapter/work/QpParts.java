// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.device.Profile;

/**
 * What the halves of a queue pair stand on.
 *
 * @param requests posted to it
 * @param memory the way to what its own keys and its peer's reach
 * @param buffer of the message that is coming in
 * @param runs requests with nothing to decide go through in runs; else all go the general way
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
