// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

/**
 * One parameter of one adapter, at one instant. Immutable.
 *
 * @param allowed on this adapter
 * @param defaultValue of its firmware's image
 * @param current in effect since it last started
 * @param next in effect once the adapter starts in the way that the parameter {@linkplain FirmwareParameter#awaits awaits}
 * @param readOnly it can't be set here
 */
public record FirmwareSetting(
        FirmwareParameter parameter, ValueRange allowed, long defaultValue, long current, long next, boolean readOnly) {
    /** The next start may change it. */
    public boolean pending() {
        return next != current;
    }

    /** What a query marks: the next value is another than one of the other two. */
    public boolean marked() {
        return next != current || next != defaultValue;
    }

    /** A value as a query tells it. */
    public String show(long value) {
        return parameter.type().show(value);
    }
}
