// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.completion.Placement;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.Transport;

/** The dimensions. A new feature is a constant of an enum; a new kind of feature is an enum and a line here. */
final class Features {
    /** Source of receive buffers. */
    enum Receiving {
        OWN,
        /** Shared receive queue: of the queue pair, of the DC target, or the one that an XRC request names. */
        SHARED,
        /** In a tag list. */
        MATCHED,
        UNEXPECTED,
        /** Message with a header and no tag. */
        UNTAGGED,
        RENDEZVOUS;

        boolean comparesTags() {
            return this != OWN && this != SHARED;
        }

        /** True if the message is in its receive with its header. */
        boolean keepsHeader() {
            return this == UNEXPECTED || this == UNTAGGED;
        }
    }

    enum Bytes {
        NONE(0, 0),
        ONE(0, 1),
        FOUR(0, 4),
        EIGHT(0, 8),
        SIXTEEN(0, 16),
        THIRTY_TWO(0, 32),
        ALMOST_A_PACKET(1, -1),
        PACKET(1, 0),
        SEVERAL_PACKETS(3, 1),
        LONG(0, 100_000);

        private final int packets;
        private final int more;

        Bytes(int packets, int more) {
            this.packets = packets;
            this.more = more;
        }

        int of(PathMtu mtu) {
            return packets * mtu.bytes() + more;
        }
    }

    /** Data that travels in requests and completions. */
    enum Inline {
        NOTHING,
        REQUEST,
        /** Short data to the receiver, and short results to the requester. */
        COMPLETION,
        BOTH;

        boolean request() {
            return this == REQUEST || this == BOTH;
        }

        boolean completion() {
            return this == COMPLETION || this == BOTH;
        }
    }

    enum Host {
        LITTLE_ENDIAN,
        BIG_ENDIAN
    }

    /** Byte order of atomics' results. */
    enum Answers {
        AS_THE_HOST,
        /** Big-endian adapter, and a queue pair created for that. */
        BIG_ENDIAN,
        /** Big-endian adapter, and a queue pair not created for that. */
        UNASKED_BIG_ENDIAN
    }

    /** Pages of regions on demand; all other regions are pinned. */
    enum Pages {
        PINNED,
        /** The host has them, the adapter does not. */
        ABSENT,
        EVICTED,
        PREFETCHED
    }

    enum Streams {
        NONE,
        FIRST,
        OTHER
    }

    enum Flag {
        NONE,
        FENCED,
        SOLICITED
    }

    /** Number of scatter/gather elements on each side. */
    enum Elements {
        ONE,
        TWO
    }

    static final Dimension<Transport> TRANSPORT = Dimension.of("over", Transport.class);
    static final Dimension<Receiving> RECEIVING = Dimension.of("receives", Receiving.class);
    static final Dimension<MemoryKind> NEAR = Dimension.of("near memory", MemoryKind.class);
    static final Dimension<MemoryKind> FAR = Dimension.of("far memory", MemoryKind.class);
    static final Dimension<PostedVerb> VERB = Dimension.of("verb", PostedVerb.class);
    static final Dimension<Bytes> BYTES = Dimension.of("bytes", Bytes.class);
    static final Dimension<Inline> INLINE = Dimension.of("inline", Inline.class);
    static final Dimension<Host> HOST = Dimension.of("host", Host.class);
    static final Dimension<Answers> ANSWERS = Dimension.of("answers", Answers.class);
    static final Dimension<Pages> PAGES = Dimension.of("pages", Pages.class);
    static final Dimension<Streams> STREAMS = Dimension.of("stream", Streams.class);
    static final Dimension<Profile> PROFILE = new Dimension<>("profile", profiles());
    static final Dimension<Placement> PLACEMENT = new Dimension<>("placement", placements());
    static final Dimension<Swarm> SWARM = Dimension.of("swarm", Swarm.class);
    static final Dimension<PathMtu> MTU = Dimension.of("mtu", PathMtu.class);
    static final Dimension<Flag> FLAG = Dimension.of("flag", Flag.class);
    static final Dimension<Elements> ELEMENTS = Dimension.of("elements", Elements.class);
    static final Dimension<ScatterToCqe> SCATTER = Dimension.of("scatter", ScatterToCqe.class);
    static final Dimension<TunneledCommand.Function> COMMAND = Dimension.of("command", TunneledCommand.Function.class);

    static final List<Dimension<?>> ALL = List.of(
            TRANSPORT, RECEIVING, NEAR, FAR, VERB, BYTES, INLINE, HOST, ANSWERS, PAGES, STREAMS, PROFILE, PLACEMENT,
            SWARM, MTU, FLAG, ELEMENTS, SCATTER, COMMAND);

    private Features() {}

    /** Returns the project's profiles, and one that reads the page tables of its host. */
    private static List<Profile> profiles() {
        Profile ibm = Profile.CONNECTX_5_IBM;
        return Stream.concat(
                        Profile.ALL.stream(),
                        Stream.of(ibm.with(ibm.paging().with(PagingCapabilities.Feature.HOST_TABLES))))
                .toList();
    }

    private static List<Placement> placements() {
        return Stream.<Placement>concat(Stream.of(Placement.Chosen.values()), Stream.of(new Placement.On(0)))
                .toList();
    }
}
