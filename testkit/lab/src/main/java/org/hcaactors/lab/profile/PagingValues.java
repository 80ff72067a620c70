// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.PagingSupport;
import org.hcaactors.api.device.Profile;

// rule paging-agreed
/** On-demand paging: {@code paging} sets both sides, {@code paging-firmware} and {@code paging-driver} one of them. */
final class PagingValues {
    private static final String UNLIMITED = "unlimited";
    private static final Notation<Long> NUMBER = Notation.number(1, 1L << 47);
    private static final Notation<Long> BYTES = new Notation<>(
            "1 to " + (1L << 47) + " and unlimited are allowed",
            text -> text.equals(UNLIMITED)
                    ? Optional.of(PagingCapabilities.UNLIMITED)
                    : NUMBER.read().apply(text),
            bytes -> bytes == PagingCapabilities.UNLIMITED ? UNLIMITED : Long.toString(bytes));

    /** The capabilities of one side, or of both. */
    private record Side(
            String name,
            Function<Profile, PagingCapabilities> get,
            BiFunction<PagingSupport, UnaryOperator<PagingCapabilities>, PagingSupport> change) {
        <V> ProfileValue value(
                String value,
                Notation<V> notation,
                Function<PagingCapabilities, V> read,
                BiFunction<PagingCapabilities, V, PagingCapabilities> write) {
            return ProfileValue.of(
                    name + "." + value,
                    notation,
                    profile -> read.apply(get.apply(profile)),
                    (profile, requested) ->
                            profile.with(change.apply(profile.pagingSupport(), side -> write.apply(side, requested))));
        }
    }

    private PagingValues() {}

    static List<ProfileValue> list() {
        List<ProfileValue> all = new ArrayList<>();
        all.addAll(of(new Side(
                "paging",
                Profile::paging,
                (sides, change) -> new PagingSupport(change.apply(sides.firmware()), change.apply(sides.driver())))));
        all.addAll(of(new Side(
                "paging-firmware",
                profile -> profile.pagingSupport().firmware(),
                (sides, change) -> sides.withFirmware(change.apply(sides.firmware())))));
        all.addAll(of(new Side(
                "paging-driver",
                profile -> profile.pagingSupport().driver(),
                (sides, change) -> sides.withDriver(change.apply(sides.driver())))));
        return all;
    }

    private static List<ProfileValue> of(Side side) {
        List<ProfileValue> all = new ArrayList<>();
        for (Feature each : Feature.values()) {
            all.add(side.value(
                    Notation.word(each),
                    Notation.FLAG,
                    paging -> paging.has(each),
                    (paging, on) -> on ? paging.with(each) : paging.without(each)));
        }
        for (Transport each : Transport.values()) {
            all.add(side.<Set<Use>>value(
                    Notation.word(each),
                    Notation.several(Use.class),
                    paging -> paging.uses(each),
                    (paging, uses) -> paging.with(each, uses.toArray(Use[]::new))));
        }
        all.add(side.value(
                "max-region-bytes", BYTES, PagingCapabilities::maxRegionBytes, PagingCapabilities::withMaxRegionBytes));
        all.add(side.value(
                "rnr-timer",
                Notation.number(0, 31),
                paging -> (long) paging.rnrTimer(),
                (paging, code) -> paging.withRnrTimer(code.intValue())));
        return all;
    }
}
