// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.judge.cover.Features.Answers;
import org.hcaactors.judge.cover.Features.Pages;
import org.hcaactors.judge.cover.Features.Streams;
import org.hcaactors.lab.pair.Transport;

/** Combinations that the API can't express, or refuses at creation: other tests check the refusals. */
final class Exclusions {
    private Exclusions() {}

    static List<Exclusion> all() {
        List<Exclusion> all = new ArrayList<>();
        all.addAll(profiles());
        all.addAll(completions());
        all.addAll(transports());
        all.addAll(memories());
        all.addAll(verbs());
        return all;
    }

    private static List<Exclusion> profiles() {
        return List.of(
                Exclusion.of(
                        "the adapter has no such memory here",
                        Features.PROFILE,
                        Features.NEAR,
                        (profile, kind) -> !kind.isOn(profile)),
                Exclusion.of(
                        "the adapter has no such memory there",
                        Features.PROFILE,
                        Features.FAR,
                        (profile, kind) -> !kind.isOn(profile)),
                Exclusion.of(
                        "the adapter has no such transport",
                        Features.PROFILE,
                        Features.TRANSPORT,
                        (profile, over) -> switch (over) {
                            case RC, UC, UD -> false;
                            case XRC -> !profile.sharedReceives().xrc();
                            case DC -> !profile.dynamicallyConnected().isSupported();
                        }),
                Exclusion.of(
                        "the adapter's packets are shorter",
                        Features.PROFILE,
                        Features.MTU,
                        (profile, mtu) -> mtu.bytes() > profile.port().maxMtu().bytes()),
                Exclusion.of(
                        "the adapter has no streams",
                        Features.PROFILE,
                        Features.STREAMS,
                        (profile, stream) -> stream != Streams.NONE
                                && !profile.dynamicallyConnected().hasStreams()),
                Exclusion.of(
                        "the adapter compares no tags over that transport",
                        Features.PROFILE,
                        Features.TRANSPORT,
                        Features.RECEIVING,
                        (profile, over, receiving) -> receiving.comparesTags()
                                && !(over == Transport.RC && profile.tags().rc()
                                        || over == Transport.DC
                                                && profile.tags().dc())),
                Exclusion.of(
                        "the adapter has no such windows",
                        Features.PROFILE,
                        Features.VERB,
                        (profile, verb) -> switch (verb) {
                            case BIND_1 -> !profile.windows().type1();
                            case BIND_2, INVALIDATE_WINDOW -> !profile.windows().type2B();
                            case FILL, INVALIDATE_KEY -> !profile.indirectKeys().isSupported();
                            default -> false;
                        }));
    }

    private static List<Exclusion> completions() {
        return List.of(
                Exclusion.of(
                        "the adapter's completions carry no data",
                        Features.PROFILE,
                        Features.INLINE,
                        (profile, inline) ->
                                inline.completion() && profile.queues().maxInlineReceiveBytes() == 0),
                Exclusion.of(
                        "the adapter's completions carry no data",
                        Features.PROFILE,
                        Features.SCATTER,
                        (profile, scatter) -> scatter == ScatterToCqe.ALLOWED
                                && profile.queues().maxInlineReceiveBytes() == 0));
    }

    private static List<Exclusion> transports() {
        return List.of(
                Exclusion.of(
                        "the transport does not carry it",
                        Features.TRANSPORT,
                        Features.VERB,
                        (over, verb) -> !over.carries(verb.request())),
                Exclusion.of(
                        "the transport finds receives elsewhere",
                        Features.TRANSPORT,
                        Features.RECEIVING,
                        (over, receiving) -> switch (receiving) {
                            case OWN -> over == Transport.XRC || over == Transport.DC;
                            case SHARED -> over == Transport.UC;
                            case MATCHED, UNEXPECTED, UNTAGGED, RENDEZVOUS ->
                                over != Transport.RC && over != Transport.DC;
                        }),
                Exclusion.of(
                        "only DC has streams",
                        Features.TRANSPORT,
                        Features.STREAMS,
                        (over, stream) -> over != Transport.DC && stream != Streams.NONE),
                Exclusion.of(
                        "a datagram is one packet",
                        Features.TRANSPORT,
                        Features.BYTES,
                        Features.MTU,
                        (over, bytes, mtu) -> over == Transport.UD && bytes.of(mtu) > mtu.bytes()),
                Exclusion.of(
                        "what is asked over that transport binds no windows",
                        Features.TRANSPORT,
                        Features.FAR,
                        (over, kind) -> kind.isBoundByQueuePair() && over != Transport.RC && over != Transport.UC),
                Exclusion.of(
                        "what asks over that transport is not asked through its windows",
                        Features.TRANSPORT,
                        Features.NEAR,
                        (over, kind) -> kind.isBoundByQueuePair() && over != Transport.RC && over != Transport.UC),
                Exclusion.of(
                        "a queue pair is told either to carry data in completions or not to",
                        Features.INLINE,
                        Features.SCATTER,
                        (inline, scatter) -> inline.completion() && scatter == ScatterToCqe.DISABLED));
    }

    private static List<Exclusion> memories() {
        return List.of(
                Exclusion.of(
                        "only regions on demand have pages that come",
                        Features.NEAR,
                        Features.FAR,
                        Features.PAGES,
                        (near, far, pages) -> (near.isPaged() || far.isPaged()) == (pages == Pages.PINNED)),
                Exclusion.of(
                        "a message with a tag begins with it",
                        Features.NEAR,
                        Features.RECEIVING,
                        (near, receiving) -> near == MemoryKind.NULL && receiving.comparesTags()),
                Exclusion.of(
                        "receives of a list have one element",
                        Features.ELEMENTS,
                        Features.RECEIVING,
                        (elements, receiving) -> elements == Features.Elements.TWO && receiving.comparesTags()),
                Exclusion.of(
                        "a WRITE to where atomics are tunneled brings commands",
                        Features.VERB,
                        Features.FAR,
                        (verb, far) -> verb.request() == RdmaWrite.class
                                && (verb == PostedVerb.TUNNELED) != (far == MemoryKind.TUNNELING)));
    }

    private static List<Exclusion> verbs() {
        return List.of(
                Exclusion.of(
                        "atomics have sizes of their own",
                        Features.VERB,
                        Features.BYTES,
                        (verb, bytes) -> switch (verb) {
                            case SWAP, ADD -> bytes != Features.Bytes.EIGHT;
                            case MASKED_SWAP, MASKED_ADD ->
                                switch (bytes) {
                                    case FOUR, EIGHT, SIXTEEN, THIRTY_TWO -> false;
                                    default -> true;
                                };
                            default -> false;
                        }),
                Exclusion.of(
                        "only atomics have results in an order of their own",
                        Features.VERB,
                        Features.ANSWERS,
                        (verb, answers) -> !verb.isAtomic() && answers == Answers.UNASKED_BIG_ENDIAN),
                Exclusion.of(
                        "only a tunneled WRITE brings commands",
                        Features.VERB,
                        Features.COMMAND,
                        (verb, command) -> verb != PostedVerb.TUNNELED && command != TunneledCommand.Function.ADD),
                Exclusion.of(
                        "it brings no data of its own",
                        Features.VERB,
                        Features.INLINE,
                        (verb, inline) -> !verb.isSend() && !verb.isWrite() && inline.request()),
                Exclusion.of(
                        "a window is bound to a region",
                        Features.VERB,
                        Features.NEAR,
                        (verb, near) -> (verb == PostedVerb.BIND_1 || verb == PostedVerb.BIND_2)
                                && (near.isWindow() || near.isIndirect())),
                Exclusion.of(
                        "only what was bound is invalidated",
                        Features.VERB,
                        Features.NEAR,
                        (verb, near) -> verb == PostedVerb.INVALIDATE_WINDOW
                                && (near.isWindow()
                                        || near.isIndirect()
                                        || !near.takesWindows()
                                        || near == MemoryKind.ZERO_BASED)),
                Exclusion.of(
                        "only what was bound is invalidated",
                        Features.VERB,
                        Features.BYTES,
                        (verb, bytes) -> verb == PostedVerb.INVALIDATE_WINDOW && bytes == Features.Bytes.NONE),
                Exclusion.of(
                        "there is no key for a peer to invalidate",
                        Features.VERB,
                        Features.PROFILE,
                        Features.TRANSPORT,
                        (verb, profile, over) -> verb == PostedVerb.SEND_INV
                                && !profile.indirectKeys().isSupported()
                                && !(over == Transport.RC && profile.windows().type2B())));
    }
}
