// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

/**
 * One parameter of one adapter, at one instant. Immutable.
 *
 * @param allowed allowed values on this adapter
 * @param defaultValue default value of its firmware
 * @param current value in effect since its last start
 * @param next value in effect after the restart that the parameter {@linkplain FirmwareParameter#appliesAfter awaits}
 * @param readOnly true if it cannot be set here
 */
public record FirmwareSetting(
        FirmwareParameter parameter, ValueRange allowed, long defaultValue, long current, long next, boolean readOnly) {
    /** True if the next start may change it. */
    public boolean pending() {
        return next != current;
    }

    /** True if a query marks it: the next value differs from the current or default one. */
    public boolean marked() {
        return next != current || next != defaultValue;
    }

    /** Formats a value as in a query. */
    public String show(long value) {
        return parameter.type().show(value);
    }
}
