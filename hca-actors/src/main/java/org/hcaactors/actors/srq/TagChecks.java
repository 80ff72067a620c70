// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.srq.TagSlots;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.TagMatching;

/** Checks of tag-matching queues; refusals are VerbsExceptions. */
public final class TagChecks {
    /** Infinite retries: as an RNR retry count, and as a retry count if the profile defines it so. */
    private static final int FOR_EVER = 7;

    private TagChecks() {}

    // rules tag-capabilities, tag-srq
    /** @throws VerbsException EOPNOTSUPP if the adapter has no tag matching, EINVAL above its limits */
    public static TagQueueParts of(TagMatching requested, CompletionQueueHandle completions, Profile profile) {
        TagCapabilities can = profile.tags();
        if (!can.isSupported()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no tag matching");
        }
        requested.dcRendezvous().ifPresent(attributes -> checkFetching(attributes, profile));
        int tags = Limits.within("maxTags", requested.maxTags(), 1, can.maxTags());
        int operations = Limits.within("maxOperations", requested.maxOperations(), 1, can.maxOperations());
        return new TagQueueParts(completions, new TagSlots(tags, operations));
    }

    // rules rendezvous-dc, rendezvous-dc-patience
    private static void checkFetching(RcConnection attributes, Profile profile) {
        if (!profile.tags().overDc()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no tag matching over DC");
        }
        if (attributes.rdAtomic() == 0) {
            throw VerbsException.invalid("a rendezvous over DC with 0 outstanding READs; at least 1 is required");
        }
        // A sender that does not answer, or answers RNR NAK forever, would block the only initiator.
        if (attributes.rnrRetry() == FOR_EVER) {
            throw VerbsException.invalid(
                    "a rendezvous over DC that retries without limit (RNR retry 7); 0 to 6 are allowed");
        }
        if (attributes.timeoutCode() == 0) {
            throw VerbsException.invalid("a rendezvous over DC that waits for an answer without limit (timeout 0);"
                    + " 1 to 31 are allowed");
        }
        if (attributes.retryCount() == FOR_EVER && profile.has(Quirk.RETRY_SEVEN_IS_FOREVER)) {
            throw VerbsException.invalid("a rendezvous over DC that retries without limit (retry count 7); on "
                    + profile.name() + " 0 to 6 are allowed");
        }
    }

    // rule tag-transports
    /** @throws VerbsException EINVAL if the adapter has no tag matching over that transport */
    public static void checkTransport(QpType type, Profile profile) {
        boolean comes = switch (type) {
            case RC -> profile.tags().overRc();
            case DC_TGT -> profile.tags().overDc();
            case UC, UD, XRC_INI, XRC_TGT, DC_INI -> false;
        };
        if (!comes) {
            throw VerbsException.invalid(
                    "a tag-matching queue of " + type + "; on " + profile.name() + " it is of " + allowed(profile));
        }
    }

    private static String allowed(Profile profile) {
        return Stream.of(profile.tags().overRc() ? "RC" : "", profile.tags().overDc() ? "DC targets" : "")
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(" or of "));
    }
}
