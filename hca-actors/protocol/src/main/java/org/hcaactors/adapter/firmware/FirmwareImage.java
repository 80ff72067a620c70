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
 * The firmware of one model in a host: which parameters it has, and what becomes of its settings when they are changed or it
 * starts. A parameter without a value of its own has the model's.
 */
public final class FirmwareImage {
    private final Profile model;
    private final Platform platform;

    /** In a host of which nothing is said. */
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
    /** What can be told of them. */
    public List<FirmwareSetting> rows(FirmwareSettings now) {
        return model.firmware().parameters().stream()
                .filter(parameter -> isThere(parameter, now.next()))
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

    /** FirmwareException where there is none, or where it is hidden. */
    public FirmwareSetting row(FirmwareSettings now, FirmwareParameter parameter) {
        absence(parameter, now.next()).ifPresent(reason -> {
            throw new FirmwareException(List.of(reason));
        });
        return row(parameter, now);
    }

    // rules firmware-all-or-nothing, firmware-dependency
    /** All of it or, with a FirmwareException that has every reason, nothing. */
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
        if (requested.value() != 0 && isElsewhere(parameter)) {
            return parameter.wants().map(wants -> new FirmwareRefusal.OtherPlatform(parameter, wants, platform));
        }
        ValueRange allowed = model.firmware().range(parameter).orElseThrow();
        return allowed.contains(requested.value())
                ? Optional.empty()
                : Optional.of(new FirmwareRefusal.InvalidValue(parameter, Long.toString(requested.value()), allowed));
    }

    // rule firmware-reset
    /** Everything by default from the next start on; what is hidden, too. */
    public FirmwareSettings reset(FirmwareSettings now) {
        if (readOnly()) {
            throw new FirmwareException(model.firmware().parameters().stream()
                    .map(FirmwareRefusal.ReadOnly::new)
                    .toList());
        }
        return new FirmwareSettings(now.current(), Map.of());
    }

    /** Of these alone, all of them or none; FirmwareException. */
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
    /** It wants other processors than those here. */
    private boolean isElsewhere(FirmwareParameter parameter) {
        return parameter.wants().filter(wants -> wants != platform).isPresent();
    }

    // rules firmware-activation, firmware-dependency
    /** What is in effect after that. What lacks what it needs counts as off, and keeps its value for when that is there again. */
    @MutationPoint("firmware-image.restarted")
    public FirmwareSettings restarted(FirmwareSettings now, Restart how) {
        Map<FirmwareParameter, Long> current = new EnumMap<>(FirmwareParameter.class);
        for (FirmwareParameter parameter : model.firmware().parameters()) {
            if (!how.activates(parameter.awaits())) {
                put(parameter, value(parameter, now.current()), current);
            } else {
                boolean works = isThere(parameter, now.next()) && !isElsewhere(parameter);
                put(parameter, works ? value(parameter, now.next()) : 0, current);
            }
        }
        return new FirmwareSettings(current, now.next());
    }

    /** What the adapter can do with these in effect. */
    @MutationPoint("firmware-image.effective")
    public Profile effective(FirmwareSettings now) {
        Profile made = model;
        for (Map.Entry<FirmwareParameter, Long> set : now.current().entrySet()) {
            made = ParameterEffect.of(set.getKey(), set.getValue(), made);
        }
        // What was kept while the card was in another host, and what the model has from the factory.
        for (FirmwareParameter parameter : FirmwareParameter.values()) {
            if (isElsewhere(parameter) && ParameterEffect.in(made, parameter) != 0) {
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
        return isThere(parameter, next)
                ? Optional.empty()
                : parameter.needs().map(needed -> new FirmwareRefusal.Hidden(parameter, needed));
    }

    private boolean isThere(FirmwareParameter parameter, Map<FirmwareParameter, Long> next) {
        return parameter.needs().map(needed -> value(needed, next) != 0).orElse(true);
    }

    // rule firmware-read-only
    private boolean readOnly() {
        return model.function() != AdapterFunction.PHYSICAL;
    }

    private long value(FirmwareParameter parameter, Map<FirmwareParameter, Long> set) {
        Long own = set.get(parameter);
        return own == null ? defaultValue(parameter) : own;
    }

    /** The default is not written down: it may be another in a later image. */
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
