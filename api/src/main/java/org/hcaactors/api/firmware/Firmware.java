// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.concurrent.CompletionStage;

// rules firmware-all-or-nothing, firmware-levels
/**
 * Firmware settings of an adapter ({@code mlxconfig}). A setting takes effect at the adapter's next start, and not before. If
 * the network has a {@link FirmwareStore}, the settings, including the values in effect, are stored there: the end of a program
 * is not a restart of the adapter.
 *
 * <p>Threads: any. {@link #set}, {@link #reset} and {@link #restart} return when the settings are stored, for a file when it is
 * on disk. Limits: one command after the other.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Firmware {
    /**
     * Returns all visible parameters, in the order of the enum; none on an adapter without firmware. Changes by another program
     * are visible after another method has read the store.
     */
    List<FirmwareSetting> settings();

    /** Returns one parameter; FirmwareException if it is not visible. */
    FirmwareSetting setting(FirmwareParameter parameter);

    /** Returns the settings that {@link #set} would produce, without changing anything; FirmwareException as there. */
    List<FirmwareSetting> preview(List<FirmwareAssignment> requested);

    /**
     * Sets all these values for the next start, or none with a FirmwareException. A parameter that {@linkplain
     * FirmwareParameter#requiredParameter needs} another is checked against the next value of that one, including these assignments.
     */
    default void set(FirmwareAssignment... requested) {
        set(List.of(requested));
    }

    /** Same as {@link #set(FirmwareAssignment...)}. */
    void set(List<FirmwareAssignment> requested);

    /** Resets all parameters, including hidden ones, to their defaults for the next start. */
    void reset();

    /** Resets these parameters, or none with a FirmwareException. */
    void reset(List<FirmwareParameter> these);

    /**
     * Restarts the adapter with the settings that this kind of restart activates; others remain {@linkplain
     * FirmwareSetting#pending pending} in {@link #settings}.
     *
     * <p>Contexts that were open become unusable: DEVICE_FATAL is raised, queue pairs flush, verbs fail with EIO, and closing
     * works. The processes of the host continue and can open the adapter again.
     *
     * @return completes when newly opened contexts have the new settings; fails with a FirmwareException, and the adapter is
     *     unchanged, if the values in effect cannot be stored, and with EINVAL if the network is closed
     */
    CompletionStage<Void> restart(Restart how);
}
