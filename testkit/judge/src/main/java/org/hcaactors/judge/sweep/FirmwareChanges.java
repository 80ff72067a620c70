// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;

// rules firmware-levels, firmware-all-or-nothing, firmware-reset
/** Changes an adapter's firmware settings at random, validly and not, and compares them with a {@link FirmwareModel}. */
final class FirmwareChanges {
    /** Valid and invalid parameter values. */
    private static final long[] VALUES = {0, 1, 2, 3, 4, 7, 10, 31, 99};

    private static final FirmwareParameter[] PARAMETERS = {
        FirmwareParameter.ADVANCED_PCI_SETTINGS,
        FirmwareParameter.IBM_CAPI_EN,
        FirmwareParameter.IBM_AS_NOTIFY_EN,
        FirmwareParameter.IBM_TUNNELED_ATOMIC_EN,
        FirmwareParameter.PCI_ATOMIC_MODE,
        FirmwareParameter.LOG_MAX_OUTSTANDING_READ_ATOMIC
    };

    private final Adapter adapter;
    private final FirmwareModel model;
    private final SplittableRandom random;

    /**
     * Creates the workload's state.
     *
     * @param adapter adapter with default settings
     */
    FirmwareChanges(Adapter adapter, SplittableRandom random) {
        this.adapter = adapter;
        this.random = random;
        model = new FirmwareModel(adapter.profile(), adapter.firmware().settings());
    }

    boolean isOn(FirmwareParameter parameter) {
        return model.isOn(parameter);
    }

    CompletionStage<Void> restart(Restart how) {
        model.restart(how);
        return adapter.firmware().restart(how);
    }

    /** Enables the features that need the host's processor. */
    void turnOnWhatHelpsTheHost() {
        set(List.of(
                FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN),
                FirmwareAssignment.on(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN)));
    }

    void set() {
        List<FirmwareAssignment> requested = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            FirmwareParameter parameter = PARAMETERS[random.nextInt(PARAMETERS.length)];
            requested.add(new FirmwareAssignment(
                    parameter, random.nextInt(4) == 0 ? VALUES[random.nextInt(VALUES.length)] : random.nextInt(2)));
        }
        set(requested);
    }

    private void set(List<FirmwareAssignment> requested) {
        judged(
                "set " + requested,
                model.set(requested),
                () -> adapter.firmware().set(requested));
    }

    void reset() {
        if (random.nextBoolean()) {
            model.reset();
            adapter.firmware().reset();
            check();
            return;
        }
        List<FirmwareParameter> these = List.of(PARAMETERS[random.nextInt(PARAMETERS.length)]);
        judged("reset " + these, model.reset(these), () -> adapter.firmware().reset(these));
    }

    private void judged(String what, boolean right, Runnable command) {
        boolean taken = true;
        try {
            command.run();
        } catch (FirmwareException refused) {
            taken = false;
        }
        if (taken != right) {
            throw new AssertionError("firmware: " + what + " was "
                    + (taken ? "accepted, but must be refused" : "refused, but must be accepted"));
        }
        check();
    }

    /** Throws AssertionError if the settings or the effective profile differ from the model. */
    void check() {
        model.check(adapter.firmware().settings(), adapter.profile());
    }
}
