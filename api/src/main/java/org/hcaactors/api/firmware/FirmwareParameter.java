// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.api.capability.Platform;

// rules firmware-activation, firmware-dependency, firmware-types
/** What can be set, under the names that {@code mlxconfig} has. More will follow: a switch over them wants a default. */
public enum FirmwareParameter {
    /** Changes nothing itself: {@link #IBM_CAPI_EN} is there only with it. */
    ADVANCED_PCI_SETTINGS(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** The adapter reads the host's own page tables. */
    IBM_CAPI_EN(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** A completion queue wakes the thread that waits for it. */
    IBM_AS_NOTIFY_EN(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** Writes carry commands that the host's memory controller does. */
    IBM_TUNNELED_ATOMIC_EN(ParameterType.Bool.BOOL, Restart.POWER_CYCLE),

    /** Log2 of the buckets in which an adapter looks for the responder of a dynamically connected peer. */
    LOG_DCR_HASH_TABLE_SIZE(new ParameterType.Number(5), Restart.FIRMWARE_RESET),

    /** Responders for dynamically connected peers, less one. */
    DCR_LIFO_SIZE(new ParameterType.Number(24), Restart.FIRMWARE_RESET),

    /** Whether atomics go over PCI, which makes them atomic for the host's processors too, and whether there are masked ones. */
    PCI_ATOMIC_MODE(
            new ParameterType.Choice(List.of(
                    "PCI_ATOMIC_DISABLED_EXT_ATOMIC_ENABLED",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_ENABLED_SERIALIZED",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_DISABLED",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_ENABLED_NON_COHERENT",
                    "PCI_ATOMIC_ENABLED_EXT_ATOMIC_ENABLED")),
            Restart.FIRMWARE_RESET),

    /** Log2 of the READs and atomics that a queue pair has under way, at either end; 0 for what the model has. */
    LOG_MAX_OUTSTANDING_READ_ATOMIC(new ParameterType.Number(5), Restart.FIRMWARE_RESET),

    /** Log2 of the work requests of a queue pair; 0 for what the model has, 31 for the most that it can have. */
    LOG_MAX_OUTSTANDING_WQE(new ParameterType.Number(5), Restart.FIRMWARE_RESET),

    /** Atomics on memory of the device, which none of the models that come along has. */
    MEMIC_ATOMIC(
            new ParameterType.Choice(List.of("DEVICE_DEFAULT", "MEMIC_ATOMIC_ENABLED", "MEMIC_ATOMIC_DISABLED")),
            Restart.FIRMWARE_RESET),

    /** Their order of bytes. */
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

    /** The least restart after which a new value is in effect. */
    public Restart awaits() {
        return awaited;
    }

    /** Without which, other than 0 from the next start on, this one is not there. */
    public Optional<FirmwareParameter> needs() {
        return this == IBM_CAPI_EN ? Optional.of(ADVANCED_PCI_SETTINGS) : Optional.empty();
    }

    // rule firmware-platform
    /** The kind of processors without which it can't be turned on. */
    public Optional<Platform> wants() {
        return this == IBM_CAPI_EN || this == IBM_AS_NOTIFY_EN ? Optional.of(Platform.POWER9) : Optional.empty();
    }

    /** In letters of any case. */
    public static Optional<FirmwareParameter> named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return Stream.of(values()).filter(each -> each.name().equals(upper)).findFirst();
    }
}
