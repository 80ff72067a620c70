// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowType;

/** Kinds of memory behind a key. */
enum MemoryKind {
    PINNED(profile -> true, (host, end) -> host.mapped(memory -> memory)),
    HUGE(profile -> true, (host, end) -> host.huge(memory -> memory)),
    ON_DEMAND(MemoryKind::pages, (host, end) -> host.mapped(Registration::withOnDemandPaging)),
    RELAXED(
            MemoryKind::pages,
            (host, end) -> host.mapped(memory -> memory.withOnDemandPaging().withRelaxedAccess())),
    HUGE_ON_DEMAND(
            MemoryKind::pages,
            (host, end) -> host.huge(memory -> memory.withOnDemandPaging().withHugePages())),
    ADDRESSES(MemoryKind::pages, (host, end) -> host.addresses()),
    EVERYTHING(profile -> profile.paging().has(PagingCapabilities.Feature.IMPLICIT), (host, end) -> host.everything()),
    ALLOCATED(has(MemoryCapabilities.Feature.ALLOCATION), (host, end) -> host.allocated()),
    ALLOCATED_AT(has(MemoryCapabilities.Feature.ALLOCATION), (host, end) -> host.allocatedAt()),
    SHARED(has(MemoryCapabilities.Feature.SHARED_REGIONS), (host, end) -> host.shared()),
    PHYSICAL(has(MemoryCapabilities.Feature.PHYSICAL_ADDRESSES), (host, end) -> host.physical(false)),
    PHYSICAL_RANGE(has(MemoryCapabilities.Feature.PHYSICAL_RANGE), (host, end) -> host.physical(true)),
    PEER(has(MemoryCapabilities.Feature.PEER_MEMORY), (host, end) -> host.peer()),
    NULL(has(MemoryCapabilities.Feature.NULL_REGION), (host, end) -> host.nothing()),
    ZERO_BASED(profile -> true, (host, end) -> host.mapped(Registration::withZeroBased)),
    MOVED(profile -> true, (host, end) -> host.mapped(memory -> memory.withAddress(0x4000_0000L))),
    TUNNELING(profile -> true, (host, end) -> host.mapped(Registration::withTunneledAtomics)),
    INDIRECT(profile -> profile.indirectKeys().isSupported(), (host, end) -> host.indirect(false)),
    INTERLEAVED(profile -> profile.indirectKeys().isSupported(), (host, end) -> host.indirect(true)),
    WINDOW_1(profile -> profile.windows().type1(), (host, end) -> host.window(WindowType.TYPE_1, false, end)),
    WINDOW_2(profile -> profile.windows().type2B(), (host, end) -> host.window(WindowType.TYPE_2, false, end)),
    ZERO_BASED_WINDOW(
            profile -> profile.windows().type2B() && profile.windows().zeroBased(),
            (host, end) -> host.window(WindowType.TYPE_2, true, end));

    private static final Set<MemoryKind> PAGED = Set.of(ON_DEMAND, RELAXED, HUGE_ON_DEMAND, ADDRESSES, EVERYTHING);
    private static final Set<MemoryKind> WINDOWS = Set.of(WINDOW_1, WINDOW_2, ZERO_BASED_WINDOW);

    /** Kinds whose addresses are not those of the process (rule inline-addresses). */
    private static final Set<MemoryKind> ELSEWHERE =
            Set.of(PHYSICAL, PHYSICAL_RANGE, PEER, NULL, ZERO_BASED, MOVED, INDIRECT, INTERLEAVED);

    /**
     * Kinds to which no window can be bound (rules memory-window-fits, memory-physical, memory-peer, atomic-tunneled-region).
     */
    private static final Set<MemoryKind> WITHOUT_WINDOWS = Set.of(PHYSICAL, PHYSICAL_RANGE, PEER, NULL, TUNNELING);

    private final Predicate<Profile> needed;
    private final BiFunction<MemoryHost, BoundEnd, KeyedMemory> opened;

    MemoryKind(Predicate<Profile> needed, BiFunction<MemoryHost, BoundEnd, KeyedMemory> opened) {
        this.needed = needed;
        this.opened = opened;
    }

    private static boolean pages(Profile profile) {
        return profile.paging().has(PagingCapabilities.Feature.EXPLICIT);
    }

    private static Predicate<Profile> has(MemoryCapabilities.Feature feature) {
        return profile -> profile.memory().has(feature);
    }

    boolean isOn(Profile profile) {
        return needed.test(profile);
    }

    KeyedMemory open(MemoryHost host, BoundEnd end) {
        return opened.apply(host, end);
    }

    boolean isPaged() {
        return PAGED.contains(this);
    }

    boolean isWindow() {
        return WINDOWS.contains(this);
    }

    boolean isBoundByQueuePair() {
        return this == WINDOW_2 || this == ZERO_BASED_WINDOW;
    }

    boolean isIndirect() {
        return this == INDIRECT || this == INTERLEAVED;
    }

    boolean standsElsewhere() {
        return ELSEWHERE.contains(this);
    }

    /** True if the process can read its bytes at the posted addresses (rule post-inline). */
    boolean isAddressed() {
        return this == PEER || !standsElsewhere() && this != ZERO_BASED_WINDOW;
    }

    boolean takesWindows() {
        return !WITHOUT_WINDOWS.contains(this);
    }

    /** Returns the profile, with tunneled atomics if this kind needs them. */
    Profile suited(Profile profile) {
        return this == TUNNELING
                ? profile.with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.TUNNELED_ATOMIC))
                : profile;
    }
}
