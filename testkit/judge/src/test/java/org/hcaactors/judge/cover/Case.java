// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.nio.ByteOrder;
import java.util.Set;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.judge.cover.Features.Answers;
import org.hcaactors.judge.cover.Features.Host;
import org.hcaactors.judge.cover.Features.Inline;
import org.hcaactors.judge.cover.Features.Pages;
import org.hcaactors.judge.cover.Features.Receiving;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.Transport;

/**
 * A combination with the facts that the rules use.
 *
 * @param profile profile of both adapters, adapted to the combination
 * @param capacity capacity of both queue pairs
 */
record Case(Combination row, Profile profile, QpCapacity capacity) {
    static Profile profile(Combination row) {
        Profile plain = row.get(Features.PROFILE);
        Profile answering =
                plain.with(plain.atomics().withBigEndianReplies(row.get(Features.ANSWERS) != Answers.AS_THE_HOST));
        return row.get(Features.FAR).suited(row.get(Features.NEAR).suited(answering));
    }

    Transport transport() {
        return row.get(Features.TRANSPORT);
    }

    Receiving receiving() {
        return row.get(Features.RECEIVING);
    }

    PostedVerb verb() {
        return row.get(Features.VERB);
    }

    MemoryKind near() {
        return row.get(Features.NEAR);
    }

    MemoryKind far() {
        return row.get(Features.FAR);
    }

    Inline inline() {
        return row.get(Features.INLINE);
    }

    Swarm swarm() {
        return row.get(Features.SWARM);
    }

    ByteOrder order() {
        return row.get(Features.HOST) == Host.BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** Returns the number of data bytes. */
    int bytes() {
        return row.get(Features.BYTES).of(row.get(Features.MTU));
    }

    boolean isTagged() {
        return verb().isSend() && receiving().comparesTags();
    }

    boolean isRendezvous() {
        return isTagged() && receiving() == Receiving.RENDEZVOUS;
    }

    /** Returns the number of header bytes before a message's data. */
    int headerBytes() {
        if (!isTagged()) {
            return 0;
        }
        int more = transport() == Transport.DC ? RendezvousAddressHeader.BYTES : 0;
        return TagHeader.BYTES + (isRendezvous() ? RendezvousHeader.BYTES + more : 0);
    }

    /** Returns the number of bytes that the request itself sends or reads. */
    int postedBytes() {
        return isRendezvous() ? headerBytes() : headerBytes() + bytes();
    }

    boolean isReliable() {
        return transport().isReliable();
    }

    boolean isCalm() {
        return swarm() == Swarm.OFF;
    }

    /** True if the result depends on which faults fire. */
    boolean mayFailAnyhow() {
        return swarm() == Swarm.DISASTER || swarm() == Swarm.HOSTILE || swarm() == Swarm.RESOURCES;
    }

    /** True if the use may need an absent page for which the adapter does not wait (rule paging-transports). */
    boolean failsWithoutPage(MemoryKind kind, Use use) {
        PagingCapabilities paging = profile.paging();
        Set<Use> waits =
                paging.uses(PagingCapabilities.Transport.valueOf(transport().name()));
        return kind.isPaged() && !isPresent(kind) && !waits.contains(use);
    }

    // rules paging-capi, paging-huge
    private boolean isPresent(MemoryKind kind) {
        Pages pages = row.get(Features.PAGES);
        boolean hostHasIt = pages == Pages.ABSENT || kind == MemoryKind.HUGE_ON_DEMAND;
        return pages == Pages.PREFETCHED || hostHasIt && profile.paging().has(PagingCapabilities.Feature.HOST_TABLES);
    }

    /** True if the request itself carries the memory's bytes. */
    boolean sendsInline() {
        return inline().request() && (verb().isSend() || verb().isWrite());
    }

    /** True if its result travels in its completion (rules inline-results, atomic-not-inline). */
    boolean resultTravels() {
        return (verb() == PostedVerb.READ || verb().isAtomic() && !verb().isMasked())
                && bytes() > 0
                && bytes() <= capacity.maxInlineResultBytes();
    }

    /** True if its data travels in the receive's completion (rule inline-receive). */
    boolean messageTravels() {
        return verb().isSend()
                && !isTagged()
                && (transport() == Transport.RC || transport() == Transport.UC)
                && postedBytes() > 0
                && postedBytes() <= capacity.maxInlineReceiveBytes();
    }
}
