// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.profile.ProfileValues.Group;

/** Features and quirks of an adapter, as values of a profile. */
final class AbilityValues {
    private static final List<Integer> SIZES = List.of(4, 8, 16, 32, 64, 128, 256);

    private AbilityValues() {}

    static List<ProfileValue> list() {
        List<ProfileValue> all = new ArrayList<>(atomics());
        all.addAll(windows());
        Group<MemoryCapabilities> memory = new Group<>("memory", Profile::memory, Profile::with);
        for (MemoryCapabilities.Feature each : MemoryCapabilities.Feature.values()) {
            all.add(memory.flag(
                    Notation.word(each),
                    group -> group.has(each),
                    (group, on) -> on ? group.with(each) : group.without(each)));
        }
        all.add(memory.value(
                "page-sizes", Notation.MASK, MemoryCapabilities::pageSizes, MemoryCapabilities::withPageSizes));
        Group<PlatformCapabilities> platform = new Group<>("platform", Profile::platform, Profile::with);
        for (PlatformCapabilities.Feature each : PlatformCapabilities.Feature.values()) {
            all.add(platform.flag(
                    Notation.word(each),
                    group -> group.has(each),
                    (group, on) -> on ? group.with(each) : group.without(each)));
        }
        all.add(ProfileValue.of("function", Notation.one(AdapterFunction.class), Profile::function, Profile::with));
        for (Quirk quirk : Quirk.values()) {
            all.add(ProfileValue.of(
                    "quirks." + Notation.word(quirk),
                    Notation.FLAG,
                    profile -> profile.has(quirk),
                    (profile, on) -> on ? profile.with(quirk) : profile.without(quirk)));
        }
        return all;
    }

    private static List<ProfileValue> atomics() {
        Group<AtomicCapabilities> group = new Group<>("atomics", Profile::atomics, Profile::with);
        return List.of(
                group.value(
                        "scope",
                        Notation.one(AtomicScope.class),
                        AtomicCapabilities::scope,
                        AtomicCapabilities::withScope),
                group.flag(
                        "big-endian-replies",
                        AtomicCapabilities::bigEndianReplies,
                        AtomicCapabilities::withBigEndianReplies),
                group.value(
                        "masked-sizes",
                        Notation.sizes(SIZES),
                        all -> AtomicCapabilities.sizes(all.maskedSizes()),
                        (all, sizes) -> all.withMaskedSizes(bytes(sizes))),
                group.value(
                        "network-order-sizes",
                        Notation.sizes(SIZES),
                        all -> AtomicCapabilities.sizes(all.networkOrderSizes()),
                        (all, sizes) -> all.withNetworkOrderSizes(bytes(sizes))));
    }

    private static int[] bytes(Set<Integer> sizes) {
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<ProfileValue> windows() {
        Group<WindowCapabilities> group = new Group<>("windows", Profile::windows, Profile::with);
        return List.of(
                group.flag("type1", WindowCapabilities::type1, WindowCapabilities::withType1),
                group.flag("type2a", WindowCapabilities::type2A, WindowCapabilities::withType2A),
                group.flag("type2b", WindowCapabilities::type2B, WindowCapabilities::withType2B),
                group.flag("zero-based", WindowCapabilities::zeroBased, WindowCapabilities::withZeroBased),
                group.number(
                        "max-windows",
                        0,
                        Integer.MAX_VALUE,
                        WindowCapabilities::maxWindows,
                        WindowCapabilities::withMaxWindows));
    }
}
