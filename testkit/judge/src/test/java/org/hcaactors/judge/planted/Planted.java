// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

/**
 * A deliberate bug: one method of the adapter, patched in this JVM while the bug is planted. The adapter's own code has no
 * hooks, but for marks at what is patched.
 */
public sealed interface Planted
        permits AtomicBug,
                DcBug,
                FirmwareBug,
                IndirectBug,
                InlineBug,
                LifecycleBug,
                NotifyBug,
                SpecialRegionBug,
                PageBug,
                PagingBug,
                ProtocolBug,
                RegionBug,
                RuleBug,
                TagBug,
                WindowBug,
                XrcBug {
    /**
     * What a bug is made of.
     *
     * @param patch what is patched, and how
     * @param hunt that finds it
     */
    record Bug(Patch patch, Hunt hunt) {}

    Bug bug();

    default Patch patch() {
        return bug().patch();
    }

    default Hunt hunt() {
        return bug().hunt();
    }

    /** Patches the method; closing the result takes the bug out again. */
    default Patch.Planting plant() {
        return patch().apply();
    }
}
