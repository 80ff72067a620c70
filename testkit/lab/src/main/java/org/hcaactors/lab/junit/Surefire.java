// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Method;
import org.hcaactors.lab.seeds.RunProperties;
import org.hcaactors.lab.seeds.TestName;

/** How Maven runs a test again. */
final class Surefire {
    private Surefire() {}

    static TestName name(Class<?> type, Method method) {
        String words = TestName.simple(type.getName()) + "#" + asPattern(method.getName());
        String command = "mvn test -Dtest=" + quoted(words) + " -D" + RunProperties.ONE + "=";
        return new TestName(type.getName(), method.getName(), seed -> command + seed);
    }

    /** Surefire reads these between tests or in their names; each of them may stand for one character. */
    private static String asPattern(String method) {
        return method.replaceAll("[,+!%#?*]", "?");
    }

    /** As a shell takes it for one word, as it is. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.#-]*") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
