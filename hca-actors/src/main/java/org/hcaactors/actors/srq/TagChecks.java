// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.srq.TagSlots;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.TagMatching;

/** Checks of tag-matching queues; refusals are VerbsExceptions. */
public final class TagChecks {
    /** Infinite retries: as an RNR retry count, and as a retry count if the profile defines it so. */
    private static final int INFINITE_RETRIES = 7;

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
        if (!profile.tags().dc()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no tag matching over DC");
        }
        if (attributes.rdAtomic() == 0) {
            throw VerbsException.invalid(
                    "the number of outstanding READs is 0; a rendezvous over DC requires at least 1");
        }
        // A sender that does not answer, or answers RNR NAK forever, would block the only initiator.
        if (attributes.rnrRetry() == INFINITE_RETRIES) {
            throw VerbsException.invalid(
                    "the RNR retry count is 7, so a rendezvous over DC would retry without limit; 0 to 6 is allowed");
        }
        if (attributes.timeoutCode() == 0) {
            throw VerbsException.invalid(
                    "the timeout code is 0, so a rendezvous over DC would wait without limit;" + " 1 to 31 is allowed");
        }
        if (attributes.retryCount() == INFINITE_RETRIES && profile.has(Quirk.RETRY_SEVEN_IS_FOREVER)) {
            throw VerbsException.invalid("the retry count is 7, so a rendezvous over DC would retry without limit; on "
                    + profile.name() + " 0 to 6 is allowed");
        }
    }

    // rule tag-transports
    /** @throws VerbsException EINVAL if the adapter has no tag matching over that transport */
    public static void checkTransport(QueuePairKind kind, Profile profile) {
        if (!kind.canMatchTags(profile.tags())) {
            throw VerbsException.invalid(kind.type() + " can't use a tag-matching queue; on " + profile.name()
                    + " only " + allowed(profile) + " can");
        }
    }

    private static String allowed(Profile profile) {
        return Stream.of(profile.tags().rc() ? "RC" : "", profile.tags().dc() ? "DC targets" : "")
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(" and "));
    }
}
