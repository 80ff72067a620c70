// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Registration.Source;

/** Checks which options may be combined with on-demand paging. */
public final class OnDemandChecks {
    private static final long MAX_RELAXED_BYTES = 128L << 20;

    private OnDemandChecks() {}

    // rules paging-largest, paging-huge, paging-relaxed
    /** VerbsException (EINVAL) for more than the adapter supports, or for options that only other regions have. */
    public static void check(Registration requested, Profile profile) {
        boolean whole = requested.source().equals(Source.Addresses.WHOLE);
        long max = profile.paging().maxRegionBytes();
        if (requested.lengthBytes() > max && !whole) {
            throw VerbsException.invalid("%s can't be registered on demand; %s allows on-demand regions of at most %d bytes"
                    .formatted(requested.source(), profile.name(), max));
        }
        if (requested.hasHugePages() && whole) {
            throw VerbsException.invalid(requested.source() + " can't be registered on huge pages; an address range can");
        }
        if (requested.isRelaxed() && requested.lengthBytes() > MAX_RELAXED_BYTES) {
            throw VerbsException.invalid(
                    requested.source() + " can't be registered as relaxed; at most " + MAX_RELAXED_BYTES + " bytes are allowed");
        }
    }

    // rules paging-huge, paging-relaxed
    /** VerbsException (EINVAL) for paging options without on-demand paging. */
    public static void checkPinned(Registration requested) {
        if (requested.hasHugePages()) {
            throw VerbsException.invalid(requested.source() + " can't be registered on huge pages; they require on-demand paging");
        }
        if (requested.isRelaxed()) {
            throw VerbsException.invalid(requested.source() + " can't be registered as relaxed; only an on-demand region can");
        }
    }
}
