// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.Objects;
import org.hcaactors.api.error.VerbsException;

/**
 * Destination of a request of a DC initiator ({@code mlx5dv_wr_set_dc_addr}).
 *
 * <p>Immutable.
 *
 * @param addressHandle path to the target's port
 * @param dctNumber number of the target, 24 bits
 * @param accessKey the target's access key
 */
public record DcAddress(AddressHandle addressHandle, int dctNumber, DcAccessKey accessKey) {
    private static final int MAX = 0xFF_FFFF;

    /** VerbsException (EINVAL) for a number of more than 24 bits. */
    public DcAddress {
        Objects.requireNonNull(addressHandle, "addressHandle is null; a DC address requires an address handle");
        Objects.requireNonNull(accessKey, "accessKey is null; a DC address requires the target's access key");
        if (dctNumber < 0 || dctNumber > MAX) {
            throw VerbsException.invalid("the DC target number is " + dctNumber + "; 0 to 0xffffff is allowed");
        }
    }

    public static DcAddress of(AddressHandle addressHandle, int dctNumber, DcAccessKey accessKey) {
        return new DcAddress(addressHandle, dctNumber, accessKey);
    }
}
