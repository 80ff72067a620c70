// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

/**
 * Access key of a DC target ({@code dc_access_key}, {@code remote_dc_key}). A target refuses a CONNECT with another key.
 *
 * <p>Immutable.
 *
 * @param value 64 bits
 */
public record DcAccessKey(long value) {
    public static DcAccessKey of(long value) {
        return new DcAccessKey(value);
    }

    @Override
    public String toString() {
        return "access key 0x%016x".formatted(value);
    }
}
