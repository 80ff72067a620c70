// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory windows that an adapter supports ({@code MEM_WINDOW}, {@code MEM_WINDOW_TYPE_2A}, {@code MEM_WINDOW_TYPE_2B}). {@link
 * org.hcaactors.api.work.BindWindow} binds windows of type 2, {@link org.hcaactors.api.work.LocalInvalidate} invalidates them.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
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

    /** True if type 1 windows are supported, which all queue pairs of the domain may use. */
    public boolean type1() {
        return type1;
    }

    /**
     * True if type 2A windows are supported, which are tied to a queue pair number. Only reported: no adapter here models them.
     */
    public boolean type2A() {
        return type2A;
    }

    /** True if type 2B windows are supported, which are tied to a queue pair number and its domain. */
    public boolean type2B() {
        return type2B;
    }

    /** True if a type 2 window may be zero-based. */
    public boolean zeroBased() {
        return zeroBased;
    }

    /**
     * Maximum number of windows of all types ({@code max_mw}); allocating one more is ENOMEM. They also use memory keys, of
     * which there are fewer than 2^24.
     */
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

    /** 0 or more; a value above the number of memory keys is no limit. */
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
