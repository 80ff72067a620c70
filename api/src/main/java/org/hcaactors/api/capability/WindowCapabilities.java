// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which memory windows an adapter has ({@code MEM_WINDOW}, {@code MEM_WINDOW_TYPE_2A}, {@code MEM_WINDOW_TYPE_2B}). Those of
 * type 2 are bound by {@link org.hcaactors.api.work.BindWindow} and invalidated by {@link org.hcaactors.api.work.LocalInvalidate}.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class WindowCapabilities {
    /** No windows: allocating one is EOPNOTSUPP. */
    public static final WindowCapabilities NONE = new WindowCapabilities(false, false, false, false, 0);

    private final boolean type1;
    private final boolean type2A;
    private final boolean type2B;
    private final boolean zeroBased;
    private final int maxWindows;

    private WindowCapabilities(boolean type1, boolean type2A, boolean type2B, boolean zeroBased, int maxWindows) {
        this.type1 = type1;
        this.type2A = type2A;
        this.type2B = type2B;
        this.zeroBased = zeroBased;
        this.maxWindows = maxWindows;
    }

    /** Windows that every queue pair of their domain may use. */
    public boolean type1() {
        return type1;
    }

    /** Windows that are tied to the number of a queue pair. Told, and modelled by no adapter here. */
    public boolean type2A() {
        return type2A;
    }

    /** Windows that are tied to the number of a queue pair and to its domain. */
    public boolean type2B() {
        return type2B;
    }

    /** A window of type 2 may count its addresses from its first byte. */
    public boolean zeroBased() {
        return zeroBased;
    }

    /** Windows of all types at a time ({@code max_mw}): one more is ENOMEM. They take keys, of which there are fewer than 2^24. */
    public int maxWindows() {
        return maxWindows;
    }

    public WindowCapabilities withType1(boolean supported) {
        return new WindowCapabilities(supported, type2A, type2B, zeroBased, maxWindows);
    }

    public WindowCapabilities withType2A(boolean supported) {
        return new WindowCapabilities(type1, supported, type2B, zeroBased, maxWindows);
    }

    public WindowCapabilities withType2B(boolean supported) {
        return new WindowCapabilities(type1, type2A, supported, zeroBased, maxWindows);
    }

    public WindowCapabilities withZeroBased(boolean supported) {
        return new WindowCapabilities(type1, type2A, type2B, supported, maxWindows);
    }

    /** 0 and more; more than there are keys is no limit. */
    public WindowCapabilities withMaxWindows(int max) {
        return new WindowCapabilities(type1, type2A, type2B, zeroBased, max);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WindowCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "WindowCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(type1, type2A, type2B, zeroBased, maxWindows);
    }
}
