// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.counter.Counters;
import org.hcaactors.adapter.firmware.Settings;
import org.hcaactors.api.firmware.Restart;

/** Bugs of adapters that start anew, and of what they are set to. */
public enum FirmwareBug implements Planted {
    /** A warm reboot activates what waits for the power, too. */
    EVERY_START_IS_A_POWER_CYCLE("firmware.FirmwareImage", "restarted", Activates.class),
    COUNTS_BEFORE_THE_START("device.FirmwareHandle", "here", AtOnce.class),
    FORGETS_WHAT_WAITS("firmware.FirmwareImage", "restarted", Forgets.class),
    SHOWS_WHAT_IT_DOES_NOT_DO("firmware.FirmwareImage", "effective", AsItWas.class),
    QUEUE_PAIRS_LIVE_ON(Patch.without("device.AdapterActor", "fatal", "adapterFailed")),
    KEYS_LIVE_ON(Patch.without("key.TranslatorActor", "on", "lost")),
    WHAT_WAS_OPEN_CREATES(Patch.without("device.AdapterActor", "create", "refuses")),
    THREADS_SLEEP_ON(Patch.without("notify.WaiterMachine", "adapterFailed", "lost")),
    COUNTS_FROM_ZERO("service.Services", "restarted", FromZero.class),
    TELLS_NOBODY(Patch.without("device.AdapterActor", "fatal", "raise")),
    LINK_STAYS_DOWN("device.AdapterHandle", "plugged", StaysDown.class);

    private final Patch patch;

    FirmwareBug(Patch patch) {
        this.patch = patch;
    }

    FirmwareBug(String type, String method, Class<?> advice) {
        this(new Patch(type, method, advice));
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(100);
    }

    static final class Activates {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) Restart how) {
            how = Restart.POWER_CYCLE;
        }
    }

    static final class AtOnce {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Settings set) {
            set = new Settings(set.next(), set.next());
        }
    }

    static final class Forgets {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Settings started) {
            started = new Settings(started.current(), started.current());
        }
    }

    static final class FromZero {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Services next) {
            next = new Services(
                    next.adapter(),
                    next.profile(),
                    next.port(),
                    next.atomics(),
                    new Counters(),
                    next.paging(),
                    next.trace(),
                    next.health(),
                    next.notifyUnit(),
                    next.responders(),
                    next.network());
        }
    }

    static final class AsItWas {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) Settings now) {
            now = Settings.DEFAULTS;
        }
    }

    static final class StaysDown {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) boolean up) {
            return up;
        }
    }
}
