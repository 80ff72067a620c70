// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Registration.Source;

/** What goes together when pages come as they are used. */
public final class OnDemandTerms {
    private static final long MOST_RELAXED_BYTES = 128L << 20;

    private OnDemandTerms() {}

    // rules paging-largest, paging-huge, paging-relaxed
    /** VerbsException (EINVAL) for more than the adapter has, or what says something that only other regions have. */
    public static void check(Registration wanted, Profile profile) {
        boolean whole = wanted.source().equals(Source.Addresses.WHOLE);
        long most = profile.paging().maxRegionBytes();
        if (wanted.lengthBytes() > most && !whole) {
            throw VerbsException.invalid("%s, on demand; %s has regions of at most %d bytes so"
                    .formatted(wanted.source(), profile.name(), most));
        }
        if (wanted.hasHugePages() && whole) {
            throw VerbsException.invalid(wanted.source() + " on huge pages; a range can be");
        }
        if (wanted.isRelaxed() && wanted.lengthBytes() > MOST_RELAXED_BYTES) {
            throw VerbsException.invalid(
                    wanted.source() + ", relaxed; at most " + MOST_RELAXED_BYTES + " bytes are allowed");
        }
    }

    // rules paging-huge, paging-relaxed
    /** The same for what says something without being on demand. */
    public static void checkPinned(Registration wanted) {
        if (wanted.hasHugePages()) {
            throw VerbsException.invalid("huge pages of " + wanted.source() + "; they are asked for on demand");
        }
        if (wanted.isRelaxed()) {
            throw VerbsException.invalid("relaxed, " + wanted.source() + "; only what is on demand can be");
        }
    }
}
