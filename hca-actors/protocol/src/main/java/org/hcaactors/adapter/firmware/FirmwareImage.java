// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.firmware.ValueRange;
import org.hcaactors.mutation.MutationPoint;

/**
 * Firmware of one model in a host: its parameters, and the rules for changing and activating its settings. A parameter that is
 * not set has the model's default.
 */
public final class FirmwareImage {
    private final Profile model;
    private final Platform platform;

    /** Creates the firmware of an adapter in a default host. */
    public FirmwareImage(Profile model) {
        this(model, HostMachine.DEFAULT.platformFor(model));
    }

    public FirmwareImage(Profile model, Platform platform) {
        this.model = model;
        this.platform = platform;
    }

    Profile model() {
        return model;
    }

    // rule firmware-levels
    /** Returns the visible parameters with their values. */
    public List<FirmwareSetting> rows(FirmwareSettings now) {
        return model.firmware().parameters().stream()
                .filter(parameter -> isPrerequisiteSet(parameter, now.next()))
                .map(parameter -> row(parameter, now))
                .toList();
    }

    private FirmwareSetting row(FirmwareParameter parameter, FirmwareSettings now) {
        return new FirmwareSetting(
                parameter,
                model.firmware().range(parameter).orElseThrow(),
                defaultValue(parameter),
                value(parameter, now.current()),
                value(parameter, now.next()),
                readOnly());
    }

    /** Returns one parameter; FirmwareException if it does not exist or is hidden. */
    public FirmwareSetting row(FirmwareSettings now, FirmwareParameter parameter) {
        absence(parameter, now.next()).ifPresent(reason -> {
            throw new FirmwareException(List.of(reason));
        });
        return row(parameter, now);
    }

    // rules firmware-all-or-nothing, firmware-dependency
    /** Sets all of the values or, with a FirmwareException that has every reason, none. */
    public FirmwareSettings set(FirmwareSettings now, List<FirmwareAssignment> requested) {
        Map<FirmwareParameter, Long> merged = new EnumMap<>(FirmwareParameter.class);
        merged.putAll(now.next());
        List<FirmwareRefusal> refusals = new ArrayList<>();
        Set<FirmwareParameter> assigned = EnumSet.noneOf(FirmwareParameter.class);
        for (FirmwareAssignment each : requested) {
            if (!assigned.add(each.parameter())) {
                refusals.add(new FirmwareRefusal.Duplicate(each.parameter()));
            }
            put(each.parameter(), each.value(), merged);
        }
        for (FirmwareAssignment each : requested) {
            refusal(each, merged).ifPresent(refusals::add);
        }
        if (!refusals.isEmpty()) {
            throw new FirmwareException(refusals);
        }
        return new FirmwareSettings(now.current(), merged);
    }

    private Optional<FirmwareRefusal> refusal(FirmwareAssignment requested, Map<FirmwareParameter, Long> merged) {
        FirmwareParameter parameter = requested.parameter();
        Optional<FirmwareRefusal> absence = absence(parameter, merged);
        if (absence.isPresent()) {
            return absence;
        }
        if (readOnly()) {
            return Optional.of(new FirmwareRefusal.ReadOnly(parameter));
        }
        if (requested.value() != 0 && needsOtherPlatform(parameter)) {
            return parameter
                    .requiredPlatform()
                    .map(wants -> new FirmwareRefusal.OtherPlatform(parameter, wants, platform));
        }
        ValueRange allowed = model.firmware().range(parameter).orElseThrow();
        return allowed.contains(requested.value())
                ? Optional.empty()
                : Optional.of(new FirmwareRefusal.InvalidValue(parameter, Long.toString(requested.value()), allowed));
    }

    // rule firmware-reset
    /** Resets everything to the default from the next start on, hidden parameters included. */
    public FirmwareSettings reset(FirmwareSettings now) {
        if (readOnly()) {
            throw new FirmwareException(model.firmware().parameters().stream()
                    .map(FirmwareRefusal.ReadOnly::new)
                    .toList());
        }
        return new FirmwareSettings(now.current(), Map.of());
    }

    /** Resets these parameters, all or none; FirmwareException. */
    public FirmwareSettings reset(FirmwareSettings now, List<FirmwareParameter> these) {
        List<FirmwareRefusal> refusals = new ArrayList<>();
        Map<FirmwareParameter, Long> less = new EnumMap<>(FirmwareParameter.class);
        less.putAll(now.next());
        for (FirmwareParameter parameter : these) {
            absence(parameter, now.next())
                    .or(() -> readOnly() ? Optional.of(new FirmwareRefusal.ReadOnly(parameter)) : Optional.empty())
                    .ifPresent(refusals::add);
            less.remove(parameter);
        }
        if (!refusals.isEmpty()) {
            throw new FirmwareException(refusals);
        }
        return new FirmwareSettings(now.current(), less);
    }

    // rule firmware-platform
    /** True if the parameter requires another processor architecture than the host's. */
    private boolean needsOtherPlatform(FirmwareParameter parameter) {
        return parameter.requiredPlatform().filter(wants -> wants != platform).isPresent();
    }

    // rules firmware-activation, firmware-dependency
    /**
     * Returns the settings in effect after a restart. A parameter that lacks what it depends on counts as off, and keeps its
     * value for later.
     */
    @MutationPoint("firmware-image.restarted")
    public FirmwareSettings restarted(FirmwareSettings now, Restart how) {
        Map<FirmwareParameter, Long> current = new EnumMap<>(FirmwareParameter.class);
        for (FirmwareParameter parameter : model.firmware().parameters()) {
            if (!how.activates(parameter.appliesAfter())) {
                put(parameter, value(parameter, now.current()), current);
            } else {
                boolean works = isPrerequisiteSet(parameter, now.next()) && !needsOtherPlatform(parameter);
                put(parameter, works ? value(parameter, now.next()) : 0, current);
            }
        }
        return new FirmwareSettings(current, now.next());
    }

    /** Returns the adapter's profile with these settings in effect. */
    @MutationPoint("firmware-image.effective")
    public Profile effective(FirmwareSettings now) {
        Profile made = model;
        for (Map.Entry<FirmwareParameter, Long> set : now.current().entrySet()) {
            made = ParameterEffect.of(set.getKey(), set.getValue(), made);
        }
        // Turns off values kept while the card was in another host, or set at the factory.
        for (FirmwareParameter parameter : FirmwareParameter.values()) {
            if (needsOtherPlatform(parameter) && ParameterEffect.in(made, parameter) != 0) {
                made = ParameterEffect.of(parameter, 0, made);
            }
        }
        return made;
    }

    private Optional<FirmwareRefusal> absence(FirmwareParameter parameter, Map<FirmwareParameter, Long> next) {
        if (model.firmware().parameters().isEmpty()) {
            return Optional.of(new FirmwareRefusal.NoFirmware(model.name()));
        }
        if (model.firmware().range(parameter).isEmpty()) {
            return Optional.of(new FirmwareRefusal.Unsupported(parameter));
        }
        return isPrerequisiteSet(parameter, next)
                ? Optional.empty()
                : parameter.requiredParameter().map(needed -> new FirmwareRefusal.Hidden(parameter, needed));
    }

    private boolean isPrerequisiteSet(FirmwareParameter parameter, Map<FirmwareParameter, Long> next) {
        return parameter
                .requiredParameter()
                .map(needed -> value(needed, next) != 0)
                .orElse(true);
    }

    // rule firmware-read-only
    private boolean readOnly() {
        return model.function() != AdapterFunction.PHYSICAL;
    }

    private long value(FirmwareParameter parameter, Map<FirmwareParameter, Long> set) {
        Long own = set.get(parameter);
        return own == null ? defaultValue(parameter) : own;
    }

    /** A default value is not stored, since a later image may have another default. */
    private void put(FirmwareParameter parameter, long value, Map<FirmwareParameter, Long> into) {
        if (value == defaultValue(parameter)) {
            into.remove(parameter);
        } else {
            into.put(parameter, value);
        }
    }

    private long defaultValue(FirmwareParameter parameter) {
        return model.firmware()
                .range(parameter)
                .map(allowed -> Math.clamp(ParameterEffect.in(model, parameter), allowed.min(), allowed.max()))
                .orElse(0L);
    }
}
