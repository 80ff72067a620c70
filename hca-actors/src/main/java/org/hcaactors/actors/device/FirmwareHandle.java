// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.hcaactors.adapter.firmware.FirmwareImage;
import org.hcaactors.adapter.firmware.FirmwareSettings;
import org.hcaactors.adapter.firmware.SettingsText;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.Firmware;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.FirmwareStore;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.mutation.MutationPoint;

/** Firmware settings of one adapter. Changes are made one at a time, and stored before they take effect. */
final class FirmwareHandle implements Firmware {
    private final String adapter;
    private final FirmwareImage image;
    private final SettingsText text;
    private final FirmwareStore store;
    private final BiFunction<Supplier<Profile>, EventDetail.Plainly, CompletionStage<Void>> restart;
    /** The settings in effect, and those of the next start as they were last read or written. */
    private FirmwareSettings settings;

    /**
     * Loads the settings.
     *
     * @param restart restarts the adapter with a profile; the settings count as in effect when the supplier is called, so an
     *     adapter that is closed does not call it
     * @throws FirmwareException if the stored settings cannot be used
     */
    FirmwareHandle(
            String adapter,
            Profile model,
            Platform platform,
            FirmwareStore store,
            BiFunction<Supplier<Profile>, EventDetail.Plainly, CompletionStage<Void>> restart) {
        this.adapter = adapter;
        this.store = store;
        this.restart = restart;
        image = new FirmwareImage(model, platform);
        text = new SettingsText(model, store.location(adapter));
        settings = store.load(adapter).map(text::read).orElse(FirmwareSettings.DEFAULTS);
    }

    /** Returns the profile with which the adapter last started. */
    synchronized Profile effective() {
        return image.effective(settings);
    }

    @Override
    public synchronized List<FirmwareSetting> settings() {
        return image.rows(settings);
    }

    @Override
    public synchronized FirmwareSetting setting(FirmwareParameter parameter) {
        return image.row(settings, parameter);
    }

    @Override
    public synchronized List<FirmwareSetting> preview(List<FirmwareAssignment> requested) {
        return image.rows(combined(image.set(kept(), requested)));
    }

    @Override
    public synchronized void set(List<FirmwareAssignment> requested) {
        FirmwareSettings kept = kept();
        settings = combined(keep(kept, image.set(kept, requested)));
    }

    @Override
    public synchronized void reset() {
        FirmwareSettings kept = kept();
        settings = combined(keep(kept, image.reset(kept)));
    }

    @Override
    public synchronized void reset(List<FirmwareParameter> these) {
        FirmwareSettings kept = kept();
        settings = combined(keep(kept, image.reset(kept, these)));
    }

    @Override
    public synchronized CompletionStage<Void> restart(Restart how) {
        try {
            return restart.apply(() -> started(how), eventDetail(how));
        } catch (FirmwareException notKept) {
            return CompletableFuture.failedStage(notKept);
        }
    }

    private Profile started(Restart how) {
        FirmwareSettings kept = kept();
        settings = keep(kept, image.restarted(kept, how));
        return image.effective(settings);
    }

    private static EventDetail.Plainly eventDetail(Restart how) {
        return switch (how) {
            case FIRMWARE_RESET -> EventDetail.Plainly.FIRMWARE_RESET;
            case WARM_REBOOT -> EventDetail.Plainly.WARM_REBOOT;
            case POWER_CYCLE -> EventDetail.Plainly.POWER_CYCLE;
        };
    }

    // rule firmware-kept
    /** Reads the store again, since another program may have changed settings; only a change at the same instant is refused. */
    private FirmwareSettings kept() {
        return store.load(adapter).map(text::read).orElse(settings);
    }

    /** Settings that cannot be stored are not changed. */
    private FirmwareSettings keep(FirmwareSettings before, FirmwareSettings changed) {
        if (!changed.equals(before)) {
            store.save(adapter, text.write(changed));
        }
        return changed;
    }

    /** Combines the settings in effect since this adapter started with those of the next start. */
    @MutationPoint("firmware-handle.here")
    private FirmwareSettings combined(FirmwareSettings kept) {
        return new FirmwareSettings(settings.current(), kept.next());
    }
}
