// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

/**
 * A deliberate bug: one method of the adapter, patched in this JVM while the bug is planted. The adapter's own code has no
 * hooks.
 */
public interface Planted {
    /** What is patched, and how. */
    Patch patch();

    /** Which hunt finds it. */
    Hunt hunt();

    /** Patches the method; closing the result takes the bug out again. */
    default AutoCloseable plant() throws ReflectiveOperationException {
        return patch().apply();
    }
}
