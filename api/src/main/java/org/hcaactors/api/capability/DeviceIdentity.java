// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Vendor and versions that an adapter reports ({@code ibv_query_device}); its model and part ID are in {@link
 * org.hcaactors.api.device.Profile}. No behaviour depends on them.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class DeviceIdentity {
    /** Vendor 0, hardware version 0, and firmware {@code 0.0.0}. */
    public static final DeviceIdentity NONE = new DeviceIdentity(0, 0, "0.0.0");

    /** {@code fw_ver} has 64 bytes, the last of which is 0. */
    private static final int MAX_VERSION = 63;

    private static final int MAX_VENDOR = 0xFF_FFFF;

    private final int vendorId;
    private final int hardwareVersion;
    private final String firmwareVersion;

    private DeviceIdentity(int vendorId, int hardwareVersion, String firmwareVersion) {
        this.vendorId = vendorId;
        this.hardwareVersion = hardwareVersion;
        this.firmwareVersion = firmwareVersion;
    }

    /** Number that the IEEE assigned to the vendor, 24 bits ({@code vendor_id}); 0xFFFFFF for an adapter in software. */
    public int vendorId() {
        return vendorId;
    }

    /** Version of the hardware ({@code hw_ver}). */
    public int hardwareVersion() {
        return hardwareVersion;
    }

    /** Version of the firmware ({@code fw_ver}). */
    public String firmwareVersion() {
        return firmwareVersion;
    }

    /** IllegalArgumentException unless {@code id} has 24 bits. */
    public DeviceIdentity withVendorId(int id) {
        if (id < 0 || id > MAX_VENDOR) {
            throw new IllegalArgumentException("the vendor ID is 0x%x; 0 to 0x%x is allowed".formatted(id, MAX_VENDOR));
        }
        return new DeviceIdentity(id, hardwareVersion, firmwareVersion);
    }

    /** IllegalArgumentException if {@code version} is negative. */
    public DeviceIdentity withHardwareVersion(int version) {
        if (version < 0) {
            throw new IllegalArgumentException("the hardware version is " + version + "; 0 and more is allowed");
        }
        return new DeviceIdentity(vendorId, version, firmwareVersion);
    }

    /** IllegalArgumentException unless {@code version} has 1 to 63 characters, which are digits, letters, dots, dashes. */
    public DeviceIdentity withFirmwareVersion(String version) {
        if (!version.matches("[0-9A-Za-z.-]{1," + MAX_VERSION + "}")) {
            throw new IllegalArgumentException("the firmware version is \"" + version + "\"; 1 to " + MAX_VERSION
                    + " digits, letters, dots and dashes are allowed");
        }
        return new DeviceIdentity(vendorId, hardwareVersion, version);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceIdentity group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DeviceIdentity" + values();
    }

    private List<Object> values() {
        return List.of(vendorId, hardwareVersion, firmwareVersion);
    }
}
