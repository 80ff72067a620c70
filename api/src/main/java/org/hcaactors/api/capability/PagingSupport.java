// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * On-demand paging as its two sides have it. An adapter can do what both agree on: a bit that one of them has alone is neither
 * told nor of use. Immutable.
 *
 * @param firmware what the adapter itself can do
 * @param driver what the driver on its host knows how to fill in and serve
 */
public record PagingSupport(PagingCapabilities firmware, PagingCapabilities driver) {
    public static final PagingSupport NONE = both(PagingCapabilities.NONE);

    /** Firmware and driver that can do the same. */
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
    /** What a program is told, and has. */
    public PagingCapabilities agreed() {
        return firmware.agreedWith(driver);
    }
}
