// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be set in an adapter's firmware.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class FirmwareCapabilities {
    /** Nothing can. */
    public static final FirmwareCapabilities NONE = new FirmwareCapabilities(new EnumMap<>(FirmwareParameter.class));

    private final Map<FirmwareParameter, ValueRange> ranges;

    private FirmwareCapabilities(Map<FirmwareParameter, ValueRange> ranges) {
        this.ranges = Collections.unmodifiableMap(ranges);
    }

    /** In the order of the enum. */
    public Set<FirmwareParameter> parameters() {
        return ranges.keySet();
    }

    /** What that parameter takes; empty where there is none. */
    public Optional<ValueRange> range(FirmwareParameter parameter) {
        return Optional.ofNullable(ranges.get(parameter));
    }

    /** These too, with every value that their types have. */
    public FirmwareCapabilities with(FirmwareParameter... more) {
        Map<FirmwareParameter, ValueRange> all = copy();
        for (FirmwareParameter parameter : more) {
            all.put(parameter, parameter.type().range());
        }
        return new FirmwareCapabilities(all);
    }

    /** That one too, with these values; IllegalArgumentException unless its type has them. */
    public FirmwareCapabilities with(FirmwareParameter parameter, long min, long max) {
        ValueRange range = parameter.type().range();
        if (!range.contains(min) || !range.contains(max)) {
            throw new IllegalArgumentException(parameter + " from " + min + " to " + max + "; "
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
