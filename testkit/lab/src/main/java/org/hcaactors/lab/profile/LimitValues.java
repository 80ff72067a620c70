// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.profile.ProfileValues.Group;

/** Limits of an adapter, as values of a profile. */
final class LimitValues {
    /** Maximum for limits of work requests, entries and elements. */
    private static final int MANY = 1 << 20;

    private static final int MAX_INLINE_BYTES = 1024;
    private static final int MAX_RD_ATOMIC = 128;
    private static final int MAX_TAGS = 32_767;
    private static final int MAX_OPERATIONS = 65_535;
    private static final int MAX_LOG_STREAMS = 16;
    private static final long MAX_IDLE_NANOS = 60_000_000_000L;
    private static final int MAX_CLOCK = 10_000_000;
    private static final long MAX_MICROS = 1_000_000;
    private static final long MAX_MESSAGE = 1L << 31;

    private LimitValues() {}

    static List<ProfileValue> list() {
        return Stream.of(
                        queues(),
                        sharedReceives(),
                        completions(),
                        port(),
                        indirectKeys(),
                        dynamicallyConnected(),
                        tags(),
                        times())
                .flatMap(List::stream)
                .toList();
    }

    private static List<ProfileValue> queues() {
        Group<QueueCapabilities> group = new Group<>("queues", Profile::queues, Profile::with);
        return List.of(
                group.number("max-wr", 1, MANY, QueueCapabilities::maxWr, QueueCapabilities::withMaxWr),
                group.number("max-sge", 1, 255, QueueCapabilities::maxSge, QueueCapabilities::withMaxSge),
                group.number("max-read-sge", 1, 255, QueueCapabilities::maxReadSge, QueueCapabilities::withMaxReadSge),
                group.number(
                        "max-inline-bytes",
                        0,
                        MAX_INLINE_BYTES,
                        QueueCapabilities::maxInlineBytes,
                        QueueCapabilities::withMaxInlineBytes),
                group.number(
                        "max-rd-atomic",
                        0,
                        MAX_RD_ATOMIC,
                        QueueCapabilities::maxRdAtomic,
                        QueueCapabilities::withMaxRdAtomic),
                group.number(
                        "max-dest-rd-atomic",
                        0,
                        MAX_RD_ATOMIC,
                        QueueCapabilities::maxDestRdAtomic,
                        QueueCapabilities::withMaxDestRdAtomic),
                group.number(
                        "max-inline-receive-bytes",
                        0,
                        MAX_INLINE_BYTES,
                        QueueCapabilities::maxInlineReceiveBytes,
                        QueueCapabilities::withMaxInlineReceiveBytes));
    }

    private static List<ProfileValue> sharedReceives() {
        Group<SharedReceiveCapabilities> group = new Group<>("shared-receives", Profile::sharedReceives, Profile::with);
        return List.of(
                group.number("max-wr", 0, MANY, SharedReceiveCapabilities::maxWr, SharedReceiveCapabilities::withMaxWr),
                group.number(
                        "max-sge", 0, 255, SharedReceiveCapabilities::maxSge, SharedReceiveCapabilities::withMaxSge),
                group.flag("xrc", SharedReceiveCapabilities::xrc, SharedReceiveCapabilities::withXrc));
    }

    private static List<ProfileValue> tags() {
        Group<TagCapabilities> group = new Group<>("tags", Profile::tags, Profile::with);
        return List.of(
                group.number("max-tags", 0, MAX_TAGS, TagCapabilities::maxTags, TagCapabilities::withMaxTags),
                group.number(
                        "max-operations",
                        0,
                        MAX_OPERATIONS,
                        TagCapabilities::maxOperations,
                        TagCapabilities::withMaxOperations),
                group.number(
                        "max-rendezvous-header-bytes",
                        0,
                        MAX_OPERATIONS,
                        TagCapabilities::maxRendezvousHeaderBytes,
                        TagCapabilities::withMaxRendezvousHeaderBytes),
                group.number("max-sge", 0, 255, TagCapabilities::maxSge, TagCapabilities::withMaxSge),
                group.flag("rc", TagCapabilities::rc, TagCapabilities::withRc),
                group.flag("dc", TagCapabilities::dc, TagCapabilities::withDc));
    }

    // rules memory-verb-times, notify-times
    private static List<ProfileValue> times() {
        Group<VerbTimes> group = new Group<>("times", Profile::times, Profile::with);
        return Stream.of(VerbTimes.Step.values())
                .map(step -> group.value(
                        Notation.word(step) + "-nanos",
                        Notation.number(0, VerbTimes.MAX_NANOS),
                        times -> times.nanos(step),
                        (times, nanos) -> times.with(step, nanos)))
                .toList();
    }

    private static List<ProfileValue> completions() {
        Group<CompletionCapabilities> group = new Group<>("completions", Profile::completions, Profile::with);
        return List.of(
                group.number(
                        "max-entries",
                        1,
                        1 << 24,
                        CompletionCapabilities::maxEntries,
                        CompletionCapabilities::withMaxEntries),
                group.number("vectors", 1, 1024, CompletionCapabilities::vectors, CompletionCapabilities::withVectors),
                group.number(
                        "max-moderated-entries",
                        0,
                        65_535,
                        CompletionCapabilities::maxModeratedEntries,
                        CompletionCapabilities::withMaxModeratedEntries),
                group.value(
                        "max-moderation-micros",
                        Notation.number(0, MAX_MICROS),
                        all -> all.maxModerationPeriod().toNanos() / 1000,
                        (all, micros) -> all.withMaxModerationPeriod(Duration.ofNanos(micros * 1000))),
                group.number(
                        "clock-kilohertz",
                        1,
                        MAX_CLOCK,
                        CompletionCapabilities::clockKilohertz,
                        CompletionCapabilities::withClockKilohertz),
                group.value(
                        "max-entry-bytes",
                        new Notation<>(
                                "64 and 128 are allowed",
                                text -> Stream.of(64, 128)
                                        .filter(size -> text.equals(String.valueOf(size)))
                                        .findFirst(),
                                String::valueOf),
                        CompletionCapabilities::maxEntryBytes,
                        CompletionCapabilities::withMaxEntryBytes));
    }

    private static List<ProfileValue> port() {
        Group<PortCapabilities> group = new Group<>("port", Profile::port, Profile::with);
        return List.of(
                group.value(
                        "max-mtu",
                        new Notation<>(
                                "256, 512, 1024, 2048 and 4096 are allowed",
                                text -> Stream.of(PathMtu.values())
                                        .filter(mtu -> text.equals(String.valueOf(mtu.bytes())))
                                        .findFirst(),
                                mtu -> String.valueOf(mtu.bytes())),
                        PortCapabilities::maxMtu,
                        PortCapabilities::withMaxMtu),
                group.value(
                        "max-message-bytes",
                        Notation.number(1, MAX_MESSAGE),
                        PortCapabilities::maxMessageBytes,
                        PortCapabilities::withMaxMessageBytes),
                group.number(
                        "gid-table-length",
                        1,
                        1024,
                        PortCapabilities::gidTableLength,
                        PortCapabilities::withGidTableLength),
                group.number(
                        "pkey-table-length",
                        1,
                        1024,
                        PortCapabilities::pkeyTableLength,
                        PortCapabilities::withPkeyTableLength),
                group.value("rate", Notation.one(LinkRate.class), PortCapabilities::rate, PortCapabilities::withRate),
                group.number(
                        "ack-delay-code", 0, 31, PortCapabilities::ackDelayCode, PortCapabilities::withAckDelayCode));
    }

    private static List<ProfileValue> indirectKeys() {
        Group<IndirectKeyCapabilities> group = new Group<>("indirect-keys", Profile::indirectKeys, Profile::with);
        return List.of(
                group.number(
                        "max-keys", 0, 1 << 24, IndirectKeyCapabilities::maxKeys, IndirectKeyCapabilities::withMaxKeys),
                group.number(
                        "max-entries",
                        0,
                        MANY,
                        IndirectKeyCapabilities::maxEntries,
                        IndirectKeyCapabilities::withMaxEntries),
                group.number(
                        "max-inline-entries",
                        0,
                        MANY,
                        IndirectKeyCapabilities::maxInlineEntries,
                        IndirectKeyCapabilities::withMaxInlineEntries),
                group.number(
                        "max-depth", 0, 16, IndirectKeyCapabilities::maxDepth, IndirectKeyCapabilities::withMaxDepth),
                group.number(
                        "max-stride-dimensions",
                        0,
                        16,
                        IndirectKeyCapabilities::maxStrideDimensions,
                        IndirectKeyCapabilities::withMaxStrideDimensions),
                group.number(
                        "max-stride-bytes",
                        0,
                        Integer.MAX_VALUE,
                        IndirectKeyCapabilities::maxStrideBytes,
                        IndirectKeyCapabilities::withMaxStrideBytes));
    }

    private static List<ProfileValue> dynamicallyConnected() {
        Group<DcCapabilities> group =
                new Group<>("dynamically-connected", Profile::dynamicallyConnected, Profile::with);
        return List.of(
                group.number("responders", 0, 1 << 24, DcCapabilities::responders, DcCapabilities::withResponders),
                group.number("log-hash-table", 0, 31, DcCapabilities::logHashTable, DcCapabilities::withLogHashTable),
                group.number("version", 0, 1, DcCapabilities::version, DcCapabilities::withVersion),
                group.number(
                        "max-rd-atomic",
                        0,
                        MAX_RD_ATOMIC,
                        DcCapabilities::maxRdAtomic,
                        DcCapabilities::withMaxRdAtomic),
                group.number(
                        "log-stream-channels",
                        0,
                        MAX_LOG_STREAMS,
                        DcCapabilities::logStreamChannels,
                        DcCapabilities::withLogStreamChannels),
                group.number(
                        "log-errored-streams",
                        0,
                        MAX_LOG_STREAMS,
                        DcCapabilities::logErroredStreams,
                        DcCapabilities::withLogErroredStreams),
                group.value(
                        "idle-nanos",
                        Notation.number(0, MAX_IDLE_NANOS),
                        DcCapabilities::idleNanos,
                        DcCapabilities::withIdleNanos));
    }
}
