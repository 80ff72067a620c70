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

/** The settings of one adapter: changed one after the other, and kept before they count. */
final class FirmwareHandle implements Firmware {
    private final String adapter;
    private final FirmwareImage image;
    private final SettingsText text;
    private final FirmwareStore store;
    private final BiFunction<Supplier<Profile>, EventDetail.Plainly, CompletionStage<Void>> restart;
    /** In effect here, and what the next start brings as it was read or written last. */
    private FirmwareSettings settings;

    /**
     * FirmwareException where what is kept can't be used.
     *
     * @param restart has the adapter start as that; what it is asked for counts as in effect, so an adapter that is gone asks for nothing
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
        text = new SettingsText(model, store.place(adapter));
        settings = store.load(adapter).map(text::read).orElse(FirmwareSettings.DEFAULTS);
    }

    /** What the adapter can do as it last started. */
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
        return image.rows(here(image.set(kept(), requested)));
    }

    @Override
    public synchronized void set(List<FirmwareAssignment> requested) {
        FirmwareSettings kept = kept();
        settings = here(keep(kept, image.set(kept, requested)));
    }

    @Override
    public synchronized void reset() {
        FirmwareSettings kept = kept();
        settings = here(keep(kept, image.reset(kept)));
    }

    @Override
    public synchronized void reset(List<FirmwareParameter> these) {
        FirmwareSettings kept = kept();
        settings = here(keep(kept, image.reset(kept, these)));
    }

    @Override
    public synchronized CompletionStage<Void> restart(Restart how) {
        try {
            return restart.apply(() -> started(how), told(how));
        } catch (FirmwareException notKept) {
            return CompletableFuture.failedStage(notKept);
        }
    }

    private Profile started(Restart how) {
        FirmwareSettings kept = kept();
        settings = keep(kept, image.restarted(kept, how));
        return image.effective(settings);
    }

    private static EventDetail.Plainly told(Restart how) {
        return switch (how) {
            case FIRMWARE_RESET -> EventDetail.Plainly.FIRMWARE_RESET;
            case WARM_REBOOT -> EventDetail.Plainly.WARM_REBOOT;
            case POWER_CYCLE -> EventDetail.Plainly.POWER_CYCLE;
        };
    }

    // rule firmware-kept
    /** Another program may have set something since; it stands there, and only what is written at the same instant is refused. */
    private FirmwareSettings kept() {
        return store.load(adapter).map(text::read).orElse(settings);
    }

    /** What can't be kept does not count. */
    private FirmwareSettings keep(FirmwareSettings before, FirmwareSettings changed) {
        if (!changed.equals(before)) {
            store.keep(adapter, text.write(changed));
        }
        return changed;
    }

    /** What is in effect here is so since this adapter started, whatever another program's did. */
    @MutationPoint("firmware-handle.here")
    private FirmwareSettings here(FirmwareSettings kept) {
        return new FirmwareSettings(settings.current(), kept.next());
    }
}
