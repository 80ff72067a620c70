// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAddress;

/** Destination of a request, equal for two handles of one path, as it is for the adapter. */
record DcTargetKey(AddressVector path, int target, long accessKey) {
    static DcTargetKey of(DcAddress to) {
        return new DcTargetKey(
                to.addressHandle().vector(), to.dctNumber(), to.accessKey().value());
    }
}
