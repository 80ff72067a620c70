// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.concurrent.CompletionStage;

// rules firmware-all-or-nothing, firmware-levels
/**
 * The settings of an adapter's firmware ({@code mlxconfig}). Setting one changes what the adapter does from its next start on, and
 * nothing before. Where the network has a place for them they are kept, with what is in effect: a program that ends is no restart
 * of the adapter.
 *
 * <p>Threads: any. {@link #set}, {@link #reset} and {@link #restart} return when the settings are kept, which for a file is when it
 * is on the disk. Limits: one command after the other.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Firmware {
    /**
     * Every parameter that is there, in the order of the enum; none on an adapter without firmware. What another program has set
     * since is told once one of the other methods has read it.
     */
    List<FirmwareSetting> settings();

    /** That one; FirmwareException where it is not there. */
    FirmwareSetting setting(FirmwareParameter parameter);

    /** What {@link #set} would make of them, and nothing is changed; FirmwareException as there. */
    List<FirmwareSetting> preview(List<FirmwareAssignment> requested);

    /**
     * All of these values from the next start on, or with a FirmwareException none. A parameter that {@linkplain
     * FirmwareParameter#needs needs} another is judged by that one's next value, these assignments included.
     */
    default void set(FirmwareAssignment... requested) {
        set(List.of(requested));
    }

    /** The same. */
    void set(List<FirmwareAssignment> requested);

    /** The defaults of all parameters, hidden ones included, from the next start on. */
    void reset();

    /** Of these, or with a FirmwareException of none. */
    void reset(List<FirmwareParameter> these);

    /**
     * The adapter starts anew, with the settings that this kind of start activates; the others still wait, and {@link #settings}
     * tells them as {@linkplain FirmwareSetting#pending pending}.
     *
     * <p>Whatever was open on it is of no use any more: DEVICE_FATAL is raised, queue pairs flush, verbs are refused with EIO, and
     * closing works. The processes of the host live on, and open the adapter again.
     *
     * @return done when what is opened from then on has the new settings; fails with a FirmwareException, and the adapter goes on as
     *     it is, where what is in effect can't be kept, and with EINVAL once the network is closed
     */
    CompletionStage<Void> restart(Restart how);
}
