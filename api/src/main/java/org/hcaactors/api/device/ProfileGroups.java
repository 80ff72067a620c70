// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.time.Duration;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.DeviceIdentity;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingSupport;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.firmware.FirmwareCapabilities;
import org.hcaactors.api.firmware.FirmwareParameter;

/** Capability groups of the built-in profiles. */
final class ProfileGroups {
    static final QueueCapabilities CONNECTX_QUEUES = QueueCapabilities.NONE
            .withMaxWr(32_768)
            .withMaxSge(30)
            .withMaxInlineBytes(1024)
            .withMaxRdAtomic(16)
            .withMaxDestRdAtomic(16)
            .withMaxInlineReceiveBytes(64);

    // rule firmware-mlx4
    /** From a listing of ibv_devinfo. */
    static final QueueCapabilities CONNECTX_3_QUEUES = QueueCapabilities.NONE
            .withMaxWr(16_351)
            .withMaxSge(32)
            .withMaxReadSge(30)
            .withMaxInlineBytes(928)
            .withMaxRdAtomic(128)
            .withMaxDestRdAtomic(16);

    static final QueueCapabilities SOFT_ROCE_QUEUES = QueueCapabilities.NONE
            .withMaxWr(16_384)
            .withMaxSge(32)
            .withMaxInlineBytes(512)
            .withMaxRdAtomic(128)
            .withMaxDestRdAtomic(128);

    static final SharedReceiveCapabilities CONNECTX_3_SHARED_RECEIVES =
            SharedReceiveCapabilities.NONE.withMaxWr(16_383).withMaxSge(31).withXrc(true);

    static final CompletionCapabilities CONNECTX_3_COMPLETIONS = CompletionCapabilities.NONE
            .withMaxEntries(4_194_303)
            .withVectors(64)
            .withMaxModeratedEntries(65_535)
            .withMaxModerationPeriod(Duration.ofNanos(65_535_000))
            .withClockKilohertz(427_000);

    static final MemoryCapabilities CONNECTX_3_MEMORY = MemoryCapabilities.NONE
            .with(
                    MemoryCapabilities.Feature.REREGISTRATION,
                    MemoryCapabilities.Feature.REREGISTRATION_OF_TRANSLATION,
                    MemoryCapabilities.Feature.ALLOCATION,
                    MemoryCapabilities.Feature.SHARED_REGIONS,
                    MemoryCapabilities.Feature.PEER_MEMORY)
            .withPageSizes(0xFFFF_FE00L);

    static final CompletionCapabilities CONNECTX_COMPLETIONS = CompletionCapabilities.NONE
            .withMaxEntries(4_194_303)
            .withVectors(16)
            .withMaxModeratedEntries(65_535)
            .withMaxModerationPeriod(Duration.ofNanos(4_095_000))
            .withClockKilohertz(156_250)
            .withMaxEntryBytes(128);

    static final PortCapabilities CONNECTX_PORT = PortCapabilities.NONE
            .withMaxMtu(PathMtu.BYTES_4096)
            .withMaxMessageBytes(0x4000_0000L)
            .withGidTableLength(256)
            .withPkeyTableLength(128)
            .withRate(LinkRate.GBPS_100)
            .withAckDelayCode(16);

    static final PortCapabilities CONNECTX_3_PORT =
            CONNECTX_PORT.withGidTableLength(128).withRate(LinkRate.GBPS_40).withAckDelayCode(15);

    static final IndirectKeyCapabilities CONNECTX_INDIRECT_KEYS = IndirectKeyCapabilities.NONE
            .withMaxEntries(65_535)
            .withMaxInlineEntries(20)
            .withMaxDepth(4)
            .withMaxStrideDimensions(1)
            .withMaxStrideBytes(65_535)
            .withMaxKeys(1 << 24);

    // rules event-object-limits, ud-multicast-limits
    /** From listings of ibv_devinfo for ConnectX-4, ConnectX-5 and ConnectX-6. */
    static final ObjectCapabilities CONNECTX_OBJECTS = ObjectCapabilities.DEFAULT
            .withMaxQueuePairs(262_144)
            .withMaxCompletionQueues(1 << 24)
            .withMaxSharedReceiveQueues(1 << 23)
            .withMaxRegions(1 << 24)
            .withMaxDomains(1 << 24)
            .withMaxMulticastGroups(1 << 21)
            .withMaxGroupMembers(240)
            .withMaxMemberships(503_316_480);

    /** From a listing of ibv_devinfo. */
    static final ObjectCapabilities CONNECTX_3_OBJECTS = ObjectCapabilities.DEFAULT
            .withMaxQueuePairs(131_000)
            .withMaxCompletionQueues(65_408)
            .withMaxSharedReceiveQueues(65_472)
            .withMaxRegions(524_032)
            .withMaxDomains(32_764)
            .withMaxMulticastGroups(8192)
            .withMaxGroupMembers(248)
            .withMaxMemberships(2_031_616);

    /** From rxe_param.h of Linux 6. */
    static final ObjectCapabilities SOFT_ROCE_OBJECTS = ObjectCapabilities.DEFAULT
            .withMaxQueuePairs((1 << 20) - 16)
            .withMaxCompletionQueues(1 << 20)
            .withMaxSharedReceiveQueues(917_503)
            .withMaxRegions(524_287)
            .withMaxDomains(1 << 20)
            .withMaxAddressHandles(32_767)
            .withMaxMulticastGroups(8192)
            .withMaxGroupMembers(56)
            .withMaxMemberships(458_752);

    static final ObjectCapabilities TINY_OBJECTS = ObjectCapabilities.DEFAULT
            .withMaxQueuePairs(256)
            .withMaxCompletionQueues(256)
            .withMaxSharedReceiveQueues(64)
            .withMaxRegions(1024)
            .withMaxDomains(64)
            .withMaxAddressHandles(256)
            .withMaxMulticastGroups(4)
            .withMaxGroupMembers(4)
            .withMaxMemberships(8);

    static final DeviceIdentity MELLANOX = DeviceIdentity.NONE.withVendorId(0x02c9);

    /** Vendor of adapters in software, as of Soft-RoCE. */
    static final DeviceIdentity SOFTWARE = DeviceIdentity.NONE.withVendorId(0xFF_FFFF);

    static final WindowCapabilities WINDOWS = WindowCapabilities.NONE
            .withType1(true)
            .withType2B(true)
            .withZeroBased(true)
            .withMaxWindows(1 << 24);

    // rules memory-verb-times, notify-times
    static final VerbTimes VERB_TIMES = VerbTimes.NONE
            .with(VerbTimes.Step.REGISTER, 10_000)
            .with(VerbTimes.Step.BIND, 1000)
            .with(VerbTimes.Step.INVALIDATE, 500)
            .with(VerbTimes.Step.NOTIFY, 500)
            .with(VerbTimes.Step.INTERRUPT, 4000);

    static final MemoryCapabilities CONNECTX_MEMORY = MemoryCapabilities.NONE.with(MemoryCapabilities.Feature.values());

    /** Soft-RoCE is its own driver. */
    static final PagingCapabilities SOFT_ROCE_PAGING = PagingCapabilities.NONE
            .with(PagingCapabilities.Feature.EXPLICIT, PagingCapabilities.Feature.SYNCHRONOUS)
            .with(PagingCapabilities.Transport.RC, PagingCapabilities.Use.values())
            .with(
                    PagingCapabilities.Transport.UD,
                    PagingCapabilities.Use.SEND,
                    PagingCapabilities.Use.RECEIVE,
                    PagingCapabilities.Use.SHARED_RECEIVE)
            .withMaxRegionBytes(PagingCapabilities.UNLIMITED);

    /** Capabilities that the driver of these adapters can configure, even if their firmware reports more. */
    private static final PagingCapabilities CONNECTX_DRIVER = PagingCapabilities.NONE
            .with(PagingCapabilities.Feature.values())
            .with(PagingCapabilities.Transport.RC, PagingCapabilities.Use.values())
            .with(PagingCapabilities.Transport.XRC, PagingCapabilities.Use.values())
            .with(PagingCapabilities.Transport.DC, PagingCapabilities.Use.values())
            .with(PagingCapabilities.Transport.UD, PagingCapabilities.Use.SEND, PagingCapabilities.Use.SHARED_RECEIVE)
            .withMaxRegionBytes(PagingCapabilities.UNLIMITED);

    static final PagingSupport CONNECTX_5_PAGING = new PagingSupport(
            PagingCapabilities.NONE
                    .with(PagingCapabilities.Feature.EXPLICIT, PagingCapabilities.Feature.IMPLICIT)
                    .with(PagingCapabilities.Transport.RC, PagingCapabilities.Use.values())
                    .with(PagingCapabilities.Transport.XRC, PagingCapabilities.Use.values())
                    .with(PagingCapabilities.Transport.DC, PagingCapabilities.Use.values())
                    .with(PagingCapabilities.Transport.UD, PagingCapabilities.Use.SEND)
                    .withMaxRegionBytes(PagingCapabilities.UNLIMITED),
            CONNECTX_DRIVER);

    /** Translations without an extended offset, as on Connect-IB. */
    static final PagingSupport CONNECTX_4_PAGING = new PagingSupport(
            PagingCapabilities.NONE
                    .with(PagingCapabilities.Feature.EXPLICIT)
                    .with(
                            PagingCapabilities.Transport.RC,
                            PagingCapabilities.Use.SEND,
                            PagingCapabilities.Use.RECEIVE,
                            PagingCapabilities.Use.WRITE,
                            PagingCapabilities.Use.READ)
                    .with(PagingCapabilities.Transport.UD, PagingCapabilities.Use.SEND),
            CONNECTX_DRIVER);

    // rule dc-generations
    /** Version 0, of Connect-IB and ConnectX-4. */
    static final DcCapabilities CONNECTX_4_DC = DcCapabilities.NONE
            .withResponders(4096)
            .withLogHashTable(14)
            .withMaxRdAtomic(16)
            .withIdleNanos(64_000);

    static final DcCapabilities CONNECTX_5_DC = CONNECTX_4_DC.withVersion(1);

    // rule dc-streams-there
    static final DcCapabilities CONNECTX_6_DC =
            CONNECTX_5_DC.withLogStreamChannels(5).withLogErroredStreams(3);

    // rule tag-capabilities
    /** From ConnectX-5. */
    static final TagCapabilities CONNECTX_5_TAGS = TagCapabilities.NONE
            .withMaxTags(1023)
            .withMaxOperations(32_768)
            .withMaxRendezvousHeaderBytes(64)
            .withMaxSge(1)
            .withRc(true)
            .withDc(true);

    /** Parameters of every adapter with firmware. */
    static final FirmwareCapabilities CONNECT_IB_FIRMWARE = FirmwareCapabilities.NONE
            .with(FirmwareParameter.LOG_DCR_HASH_TABLE_SIZE, 11, 20)
            .with(FirmwareParameter.DCR_LIFO_SIZE, 1023, (1 << 20) - 1)
            .with(FirmwareParameter.LOG_MAX_OUTSTANDING_READ_ATOMIC, 0, 7)
            .with(FirmwareParameter.LOG_MAX_OUTSTANDING_WQE);

    static final FirmwareCapabilities CONNECTX_FIRMWARE =
            CONNECT_IB_FIRMWARE.with(FirmwareParameter.ADVANCED_PCI_SETTINGS, FirmwareParameter.PCI_ATOMIC_MODE);

    /** IBM-branded adapters, for hosts whose processors support the features. */
    static final FirmwareCapabilities IBM_FIRMWARE = CONNECTX_FIRMWARE.with(
            FirmwareParameter.IBM_CAPI_EN,
            FirmwareParameter.IBM_AS_NOTIFY_EN,
            FirmwareParameter.IBM_TUNNELED_ATOMIC_EN);

    static final AtomicCapabilities CONNECTX_3_ATOMICS =
            AtomicCapabilities.NONE.withEightBytes(true).withMaskedSizes(8);

    static final AtomicCapabilities MASKED_ATOMICS =
            AtomicCapabilities.NONE.withEightBytes(true).withMaskedSizes(4, 8, 16, 32);

    private ProfileGroups() {}
}
