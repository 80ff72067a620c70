// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.lang.reflect.UndeclaredThrowableException;
import org.hcaactors.lab.shrink.Language;
import org.hcaactors.lab.shrink.PastedRun;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.World;

/**
 * A program that {@link RdmaTests} runs.
 *
 * @param caller the class that contains it
 */
record BuiltTest(Class<?> caller, TestSettings settings, RdmaTests.Program program) implements Rerunnable {
    @Override
    public Runnable prepare(World world) {
        return () -> {
            try {
                program.run(world);
            } catch (RuntimeException unchecked) {
                throw unchecked;
            } catch (Exception checked) {
                throw new UndeclaredThrowableException(checked);
            }
        };
    }

    @Override
    public Language language() {
        return Language.of(caller);
    }

    @Override
    public String source(Shrunk shrunk) {
        return PastedRun.source(shrunk, language());
    }
}
