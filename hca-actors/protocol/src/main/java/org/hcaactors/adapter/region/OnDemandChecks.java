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
            throw VerbsException.invalid(
                    "on-demand registration is refused for %s; %s allows on-demand regions of at most %d bytes"
                            .formatted(requested.source(), profile.name(), max));
        }
        if (requested.hugePages() && whole) {
            throw VerbsException.invalid("registration on huge pages is refused for " + requested.source()
                    + "; an address range is allowed");
        }
        if (requested.relaxedAccess() && requested.lengthBytes() > MAX_RELAXED_BYTES) {
            throw VerbsException.invalid("relaxed registration is refused for " + requested.source() + "; at most "
                    + MAX_RELAXED_BYTES + " bytes are allowed");
        }
    }

    // rules paging-huge, paging-relaxed
    /** VerbsException (EINVAL) for paging options without on-demand paging. */
    public static void checkPinned(Registration requested) {
        if (requested.hugePages()) {
            throw VerbsException.invalid("registration on huge pages is refused for " + requested.source()
                    + "; it requires on-demand paging");
        }
        if (requested.relaxedAccess()) {
            throw VerbsException.invalid(
                    "relaxed registration is refused for " + requested.source() + "; it requires on-demand paging");
        }
    }
}
