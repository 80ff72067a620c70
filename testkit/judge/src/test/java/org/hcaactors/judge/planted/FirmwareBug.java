// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.counter.PortCounters;
import org.hcaactors.adapter.firmware.FirmwareSettings;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of adapter restarts and firmware settings. */
public enum FirmwareBug implements Planted {
    /** A warm reboot also activates settings that wait for a power cycle. */
    EVERY_START_IS_A_POWER_CYCLE(
            "firmware-image.restarted",
            Activates.class,
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    COUNTS_BEFORE_THE_START(
            "firmware-handle.here",
            AtOnce.class,
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    FORGETS_WHAT_WAITS(
            "firmware-image.restarted",
            Forgets.class,
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    SHOWS_WHAT_IT_DOES_NOT_DO(
            "firmware-image.effective",
            AsItWas.class,
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    QUEUE_PAIRS_LIVE_ON(
            Patch.without("adapter-actor.fatal", "numbered-objects.adapter-failed"),
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    KEYS_LIVE_ON(
            Patch.without("translator-actor.on", "translation.lost"),
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    WHAT_WAS_OPEN_CREATES(
            Patch.without("adapter-actor.create", "device-health.refuses"),
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).withSeeds(40)),
    THREADS_SLEEP_ON(
            Patch.without("waiter-machine.adapter-failed", "waiter-machine.lost"),
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    COUNTS_FROM_ZERO(
            "services.restarted",
            FromZero.class,
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    TELLS_NOBODY(
            Patch.without("adapter-actor.fatal", "event-streams.raise"),
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.WIRE)),
    LINK_STAYS_DOWN("adapter-handle.plugged", StaysDown.class, Hunt.of(WorkloadKind.LOST_ANSWERS));

    private final Bug bug;

    FirmwareBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    FirmwareBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class Activates {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) Restart how) {
            how = Restart.POWER_CYCLE;
        }
    }

    static final class AtOnce {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) FirmwareSettings set) {
            set = new FirmwareSettings(set.next(), set.next());
        }
    }

    static final class Forgets {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) FirmwareSettings started) {
            started = new FirmwareSettings(started.current(), started.current());
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
                    new PortCounters(),
                    next.paging(),
                    next.trace(),
                    next.health(),
                    next.notifyUnit(),
                    next.responders(),
                    next.limits(),
                    next.network());
        }
    }

    static final class AsItWas {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) FirmwareSettings now) {
            now = FirmwareSettings.DEFAULTS;
        }
    }

    static final class StaysDown {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) boolean up) {
            return up;
        }
    }
}
