// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.verbs;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Reads non-public members of types in other packages. */
final class Reflected {
    private Reflected() {}

    static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ReflectiveOperationException gone) {
            throw new AssertionError(name + " is not there any more: say here what took its place", gone);
        }
    }

    static Object call(Method method, Object on) {
        try {
            return method.invoke(on);
        } catch (ReflectiveOperationException refused) {
            throw new AssertionError(refused);
        }
    }

    static Object field(Object of, String name) {
        Class<?> type = of instanceof Enum<?> constant ? constant.getDeclaringClass() : of.getClass();
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException gone) {
            throw new AssertionError(
                    type + " has no field " + name + " any more: say here how what it posts is told", gone);
        }
    }
}
