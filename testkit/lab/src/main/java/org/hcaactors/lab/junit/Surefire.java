// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Method;
import org.hcaactors.lab.seeds.RunProperties;
import org.hcaactors.lab.seeds.TestName;

/** The Maven command that reruns a test. */
final class Surefire {
    private Surefire() {}

    static TestName name(Class<?> type, Method method) {
        String words = TestName.simple(type.getName()) + "#" + asPattern(method.getName());
        String command = "mvn test -Dtest=" + quoted(words) + " -D" + RunProperties.ONE + "=";
        return new TestName(type.getName(), method.getName(), seed -> command + seed);
    }

    /** Surefire interprets these characters between tests or in names; a {@code ?} matches any one of them. */
    private static String asPattern(String method) {
        return method.replaceAll("[,+!%#?*]", "?");
    }

    /** Quotes the word for a shell. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.#-]*") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
