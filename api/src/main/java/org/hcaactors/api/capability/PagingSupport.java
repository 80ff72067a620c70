// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * On-demand paging as supported by firmware and driver. An adapter supports what both support; a capability of one side alone
 * is neither reported nor used. Immutable.
 *
 * @param firmware capabilities of the adapter
 * @param driver capabilities that the host's driver can configure and serve
 */
public record PagingSupport(PagingCapabilities firmware, PagingCapabilities driver) {
    public static final PagingSupport NONE = both(PagingCapabilities.NONE);

    /** Returns the same capabilities for firmware and driver. */
    public static PagingSupport both(PagingCapabilities sides) {
        return new PagingSupport(sides, sides);
    }

    public PagingSupport withFirmware(PagingCapabilities other) {
        return new PagingSupport(other, driver);
    }

    public PagingSupport withDriver(PagingCapabilities other) {
        return new PagingSupport(firmware, other);
    }

    // rule paging-agreed
    /** Returns the capabilities that programs see. */
    public PagingCapabilities agreed() {
        return firmware.agreedWith(driver);
    }
}
