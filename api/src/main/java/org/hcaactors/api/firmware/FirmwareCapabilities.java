// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Firmware parameters of an adapter model.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class FirmwareCapabilities {
    /** No parameters. */
    public static final FirmwareCapabilities NONE = new FirmwareCapabilities(new EnumMap<>(FirmwareParameter.class));

    private final Map<FirmwareParameter, ValueRange> ranges;

    private FirmwareCapabilities(Map<FirmwareParameter, ValueRange> ranges) {
        this.ranges = Collections.unmodifiableMap(ranges);
    }

    /** Returns the parameters in the order of the enum. */
    public Set<FirmwareParameter> parameters() {
        return ranges.keySet();
    }

    /** Returns the allowed values of a parameter; empty if it does not exist. */
    public Optional<ValueRange> range(FirmwareParameter parameter) {
        return Optional.ofNullable(ranges.get(parameter));
    }

    /** Adds these parameters, with all values of their types. */
    public FirmwareCapabilities with(FirmwareParameter... more) {
        Map<FirmwareParameter, ValueRange> all = copy();
        for (FirmwareParameter parameter : more) {
            all.put(parameter, parameter.type().range());
        }
        return new FirmwareCapabilities(all);
    }

    /** Adds this parameter, with these values; IllegalArgumentException unless its type has them. */
    public FirmwareCapabilities with(FirmwareParameter parameter, long min, long max) {
        ValueRange range = parameter.type().range();
        if (!range.contains(min) || !range.contains(max)) {
            throw new IllegalArgumentException("the range of " + parameter + " is " + min + " to " + max + "; "
                    + parameter.type().allowed(range));
        }
        Map<FirmwareParameter, ValueRange> all = copy();
        all.put(parameter, new ValueRange(min, max));
        return new FirmwareCapabilities(all);
    }

    public FirmwareCapabilities without(FirmwareParameter parameter) {
        Map<FirmwareParameter, ValueRange> less = copy();
        less.remove(parameter);
        return new FirmwareCapabilities(less);
    }

    private Map<FirmwareParameter, ValueRange> copy() {
        Map<FirmwareParameter, ValueRange> copy = new EnumMap<>(FirmwareParameter.class);
        copy.putAll(ranges);
        return copy;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FirmwareCapabilities group && ranges.equals(group.ranges);
    }

    @Override
    public int hashCode() {
        return ranges.hashCode();
    }

    @Override
    public String toString() {
        return "FirmwareCapabilities" + ranges;
    }
}
