// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.api.capability.Platform;

// rules firmware-activation, firmware-dependency, firmware-types
/** Firmware parameter, under its {@code mlxconfig} name. More will follow: a switch over them wants a default. */
public enum FirmwareParameter {
    /** No effect of its own: {@link #IBM_CAPI_EN} exists only with it. */
    ADVANCED_PCI_SETTINGS(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** The adapter reads the host's page tables. */
    IBM_CAPI_EN(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** A completion queue wakes a waiting thread without an interrupt. */
    IBM_AS_NOTIFY_EN(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** WRITEs carry commands that the host's memory controller executes. */
    IBM_TUNNELED_ATOMIC_EN(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** Log2 of the buckets of the hash table that finds a DC peer's responder. */
    LOG_DCR_HASH_TABLE_SIZE(new ParameterType.Number(5), Restart.FIRMWARE_RESET),

    /** Number of responders for DC peers, less one. */
    DCR_LIFO_SIZE(new ParameterType.Number(24), Restart.FIRMWARE_RESET),

    /**
     * Whether atomics use PCI atomics, so that they are atomic also for the host's processors, and whether masked atomics
     * exist.
     */
    PCI_ATOMIC_MODE(
            new ParameterType.Choice(List.of(
                    "PCI_ATOMIC_DISABLED_EXT_ATOMIC_ENABLED",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_ENABLED_SERIALIZED",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_DISABLED",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_ENABLED_NON_COHERENT",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_ENABLED")),
            Restart.FIRMWARE_RESET),

    /** Log2 of the outstanding READs and atomics of a queue pair, as requester and responder; 0 for the model's default. */
    LOG_MAX_OUTSTANDING_READ_ATOMIC(new ParameterType.Number(5), Restart.FIRMWARE_RESET),

    /** Log2 of the work requests of a queue pair; 0 for the model's default, 31 for the maximum. */
    LOG_MAX_OUTSTANDING_WQE(new ParameterType.Number(5), Restart.FIRMWARE_RESET),

    /** Atomics on device memory, which no built-in profile has. */
    MEMIC_ATOMIC(
            new ParameterType.Choice(List.of("DEVICE_DEFAULT", "MEMIC_ATOMIC_ENABLED", "MEMIC_ATOMIC_DISABLED")),
            Restart.FIRMWARE_RESET),

    /** Byte order of atomics on device memory. */
    MEMIC_ATOMIC_ENDIANESS(
            new ParameterType.Choice(List.of("DEVICE_DEFAULT", "BIG_ENDIAN", "HOST_ENDIAN")), Restart.FIRMWARE_RESET);

    private final ParameterType type;
    private final Restart awaited;

    FirmwareParameter(ParameterType type, Restart awaited) {
        this.type = type;
        this.awaited = awaited;
    }

    public ParameterType type() {
        return type;
    }

    /** Minimum restart after which a new value is in effect. */
    public Restart appliesAfter() {
        return awaited;
    }

    /** Parameter whose next value must not be 0 for this one to exist. */
    public Optional<FirmwareParameter> requiredParameter() {
        return this == IBM_CAPI_EN ? Optional.of(ADVANCED_PCI_SETTINGS) : Optional.empty();
    }

    // rule firmware-platform
    /** Processor family that is required to turn it on. */
    public Optional<Platform> requiredPlatform() {
        return this == IBM_CAPI_EN || this == IBM_AS_NOTIFY_EN ? Optional.of(Platform.POWER9) : Optional.empty();
    }

    /** Finds a parameter by name, ignoring case. */
    public static Optional<FirmwareParameter> find(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return Stream.of(values()).filter(each -> each.name().equals(upper)).findFirst();
    }
}
