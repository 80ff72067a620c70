// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

/**
 * A deliberate bug: one method of the adapter, patched in this JVM while the bug is planted. The adapter's code has no hooks
 * except the marks of the patched members.
 */
public sealed interface Planted
        permits AtomicBug,
                CmBug,
                DcBug,
                FirmwareBug,
                IndirectBug,
                InlineBug,
                LifecycleBug,
                ListBug,
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
     * A bug.
     *
     * @param patch the patch that causes it
     * @param hunt the hunt that finds it
     */
    record Bug(Patch patch, Hunt hunt) {}

    Bug bug();

    default Patch patch() {
        return bug().patch();
    }

    default Hunt hunt() {
        return bug().hunt();
    }

    /** Patches the method; closing the result removes the bug. */
    default Patch.Planting plant() {
        return patch().apply();
    }
}
