// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.verbs;

import static java.util.Map.entry;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;

/** A request of any kind, created by the constructor that recorded files use. */
final class Sample {
    private static final LocalSlice HERE = new LocalSlice(0x11, 0x1000, 8);

    private static final Map<Class<?>, Object> VALUES = Map.ofEntries(
            entry(long.class, 8L),
            entry(int.class, 7),
            entry(boolean.class, false),
            entry(List.class, List.of(HERE)),
            entry(RemoteAddress.class, new RemoteAddress(0x2000, 0x22)),
            entry(OptionalInt.class, OptionalInt.empty()),
            entry(SendFlags.class, SendFlags.NONE),
            entry(AtomicValue.class, AtomicValue.ofLong(3)),
            entry(WindowType.class, WindowType.TYPE_2),
            entry(AccessFlags.class, AccessFlags.LOCAL_AND_REMOTE),
            entry(KeyLayout.class, KeyLayout.list(HERE)));

    private Sample() {}

    static <T extends WorkRequest> T of(Class<T> type) {
        Constructor<?> constructor = Arrays.stream(type.getDeclaredConstructors())
                .filter(each -> VALUES.keySet().containsAll(List.of(each.getParameterTypes())))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        type + " has fields of types that have no value in " + Sample.class + ": add one"));
        try {
            constructor.setAccessible(true);
            return type.cast(constructor.newInstance(Arrays.stream(constructor.getParameterTypes())
                    .map(VALUES::get)
                    .toArray()));
        } catch (ReflectiveOperationException refused) {
            throw new AssertionError(refused);
        }
    }
}
