// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.firmware.ValueRange;

// rules firmware-levels, firmware-activation, firmware-dependency, firmware-all-or-nothing, firmware-reset,
// firmware-effect
/** Reference model of an adapter's firmware settings: a table with default, current and next value per parameter. */
final class FirmwareModel {
    /** Name prefix of parameters that take effect at a power cycle; the parameter that shows hidden ones does so, too. */
    private static final String PLATFORM = "IBM_";

    private final Profile model;
    private final Map<FirmwareParameter, Long> defaultValue = new EnumMap<>(FirmwareParameter.class);
    private final Map<FirmwareParameter, Long> current = new EnumMap<>(FirmwareParameter.class);
    private final Map<FirmwareParameter, Long> next = new EnumMap<>(FirmwareParameter.class);

    /**
     * Creates the model of an adapter with default settings.
     *
     * @param model the profile as delivered
     * @param defaults the settings that an unchanged adapter lists; hidden ones are off
     */
    FirmwareModel(Profile model, List<FirmwareSetting> defaults) {
        this.model = model;
        model.firmware().parameters().forEach(parameter -> defaultValue.put(parameter, 0L));
        defaults.forEach(row -> defaultValue.put(row.parameter(), row.defaultValue()));
        current.putAll(defaultValue);
        next.putAll(defaultValue);
    }

    /** Sets parameters. False if the change must be refused, and nothing changes. */
    boolean set(List<FirmwareAssignment> requested) {
        Map<FirmwareParameter, Long> changed = new EnumMap<>(next);
        Set<FirmwareParameter> assigned = EnumSet.noneOf(FirmwareParameter.class);
        boolean right = true;
        for (FirmwareAssignment each : requested) {
            ValueRange allowed = model.firmware().range(each.parameter()).orElseThrow();
            right &= assigned.add(each.parameter()) && allowed.contains(each.value());
            changed.put(each.parameter(), each.value());
        }
        right &= requested.stream().allMatch(each -> isShown(each.parameter(), changed));
        if (right) {
            next.putAll(changed);
        }
        return right;
    }

    void reset() {
        next.putAll(defaultValue);
    }

    /** Resets parameters to their defaults. False if the change must be refused, and nothing changes. */
    boolean reset(List<FirmwareParameter> these) {
        boolean right = these.stream().allMatch(each -> isShown(each, next));
        if (right) {
            these.forEach(each -> next.put(each, defaultValue.get(each)));
        }
        return right;
    }

    void restart(Restart how) {
        for (FirmwareParameter each : defaultValue.keySet()) {
            boolean waits = each.name().startsWith(PLATFORM) || each == FirmwareParameter.ADVANCED_PCI_SETTINGS;
            if (!waits || how == Restart.POWER_CYCLE) {
                current.put(each, isShown(each, next) ? next.getOrDefault(each, 0L) : 0L);
            }
        }
    }

    private static boolean isShown(FirmwareParameter parameter, Map<FirmwareParameter, Long> set) {
        return parameter != FirmwareParameter.IBM_CAPI_EN
                || set.getOrDefault(FirmwareParameter.ADVANCED_PCI_SETTINGS, 0L) != 0;
    }

    boolean isOn(FirmwareParameter parameter) {
        return now(parameter) != 0;
    }

    private long now(FirmwareParameter parameter) {
        return current.getOrDefault(parameter, 0L);
    }

    /** Compares an adapter's settings and effective profile with the model; throws AssertionError if they differ. */
    void check(List<FirmwareSetting> reported, Profile effective) {
        List<String> rows = new ArrayList<>();
        defaultValue.keySet().stream()
                .filter(each -> isShown(each, next))
                .map(each -> each + " " + defaultValue.get(each) + " " + current.get(each) + " " + next.get(each))
                .forEach(rows::add);
        same(
                "settings (default, current, next start)",
                rows,
                reported.stream()
                        .map(row -> row.parameter() + " " + row.defaultValue() + " " + row.current() + " " + row.next())
                        .toList());
        same(
                "AS-notify",
                isOn(FirmwareParameter.IBM_AS_NOTIFY_EN),
                effective.platform().has(Feature.AS_NOTIFY));
        same(
                "tunneled atomics",
                isOn(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN),
                effective.platform().has(Feature.TUNNELED_ATOMIC));
        same(
                "the host's page tables",
                isOn(FirmwareParameter.IBM_CAPI_EN),
                effective.paging().has(PagingCapabilities.Feature.HOST_TABLES));
        queues(effective);
        atomics(effective);
    }

    private void queues(Profile effective) {
        long reads = now(FirmwareParameter.LOG_MAX_OUTSTANDING_READ_ATOMIC);
        int max = reads == 0 ? model.queues().maxRdAtomic() : 1 << reads;
        same("outstanding READs", max, effective.queues().maxRdAtomic());
        long work = now(FirmwareParameter.LOG_MAX_OUTSTANDING_WQE);
        long requests = work == 0
                ? model.queues().maxWr()
                : Math.min(1L << work, model.queues().maxWr());
        same("work requests", requests, (long) effective.queues().maxWr());
    }

    // rule firmware-pci-atomics
    private void atomics(Profile effective) {
        long mode = now(FirmwareParameter.PCI_ATOMIC_MODE);
        same(
                "scope of atomics",
                mode == 0 || mode == 3 ? AtomicScope.HCA : AtomicScope.GLOBAL,
                effective.atomics().scope());
        same("masked atomics", mode != 2, effective.atomics().maskedSizes() != 0);
    }

    private static void same(String what, Object must, Object is) {
        if (!must.equals(is)) {
            throw new AssertionError("firmware: %s must be %s, but is %s".formatted(what, must, is));
        }
    }
}
