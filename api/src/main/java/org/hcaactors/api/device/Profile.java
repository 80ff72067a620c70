// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.DeviceFlag;
import org.hcaactors.api.capability.DeviceIdentity;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingSupport;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.firmware.FirmwareCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * An adapter model as data: its capabilities, in groups by feature, and its quirks. Code queries capabilities, never names.
 * Immutable; {@code with} methods return changed copies. A group that is added later is empty in a profile that does not set
 * it.
 */
public final class Profile {
    public static final Profile CONNECTX_5 = of("ConnectX-5", 4119)
            .with(ProfileGroups.CONNECTX_QUEUES)
            .with(SharedReceiveCapabilities.NONE
                    .withMaxWr(32_767)
                    .withMaxSge(31)
                    .withXrc(true))
            .with(ProfileGroups.CONNECTX_COMPLETIONS)
            .with(ProfileGroups.MASKED_ATOMICS)
            .with(ProfileGroups.CONNECTX_PORT)
            .with(ProfileGroups.CONNECTX_INDIRECT_KEYS)
            .with(ProfileGroups.WINDOWS)
            .with(ProfileGroups.CONNECTX_MEMORY)
            .with(ProfileGroups.CONNECTX_5_PAGING)
            .with(ProfileGroups.CONNECTX_5_DC)
            .with(ProfileGroups.CONNECTX_5_TAGS)
            .with(ProfileGroups.VERB_TIMES)
            .with(ProfileGroups.CONNECTX_FIRMWARE)
            .with(ProfileGroups.CONNECTX_OBJECTS)
            .with(ProfileGroups.MELLANOX.withFirmwareVersion("16.31.1014"))
            .with(Quirk.SETS_MIG_REQ)
            .with(Quirk.CQ_OVERRUN_FAILS_QUEUE_PAIRS)
            .with(Quirk.SILENT_WHEN_INVALIDATION_FAILS);

    /** A ConnectX-5 with streams of DC initiators. */
    public static final Profile CONNECTX_6 = CONNECTX_5
            .withModel("ConnectX-6", 4123)
            .with(ProfileGroups.CONNECTX_6_DC)
            .with(ProfileGroups.CONNECTX_PORT.withRate(LinkRate.GBPS_200))
            .with(ProfileGroups.MELLANOX.withFirmwareVersion("20.24.4702"));

    /** Less on-demand paging than its successors: no atomics, no shared receive queues, and regions of at most 256 MiB. */
    public static final Profile CONNECTX_4 = CONNECTX_5
            .withModel("ConnectX-4", 4115)
            .with(ProfileGroups.CONNECTX_4_PAGING)
            .with(ProfileGroups.CONNECTX_4_DC)
            .with(ProfileGroups.MELLANOX.withFirmwareVersion("12.28.2006"))
            .with(TagCapabilities.NONE);

    // rule firmware-platform
    /** IBM-branded ConnectX-5 Ex; the additional features of its firmware are off. */
    public static final Profile CONNECTX_5_IBM = CONNECTX_5
            .withModel("ConnectX-5-IBM", 4121)
            .with(ProfileGroups.IBM_FIRMWARE)
            .with(ProfileGroups.MELLANOX.withFirmwareVersion("16.29.1436"));

    /** The first adapter of the mlx5 driver: results of atomics are big-endian, and it has windows of type 2B only. */
    public static final Profile CONNECT_IB = CONNECTX_4
            .withModel("Connect-IB", 4113)
            .with(ProfileGroups.MASKED_ATOMICS.withBigEndianReplies(true))
            .with(ProfileGroups.WINDOWS.withType1(false))
            .with(ProfileGroups.CONNECT_IB_FIRMWARE)
            .with(ProfileGroups.CONNECTX_PORT.withRate(LinkRate.GBPS_40))
            .with(ProfileGroups.MELLANOX);

    // rule firmware-mlx4
    /**
     * The last adapter of the mlx4 driver: without DC, on-demand paging, tag matching and indirect keys. {@code mlx4_vnic} uses
     * it.
     */
    public static final Profile CONNECTX_3 = of("ConnectX-3", 4099)
            .with(ProfileGroups.CONNECTX_3_QUEUES)
            .with(ProfileGroups.CONNECTX_3_SHARED_RECEIVES)
            .with(ProfileGroups.CONNECTX_3_COMPLETIONS)
            .with(ProfileGroups.CONNECTX_3_ATOMICS)
            .with(ProfileGroups.CONNECTX_3_PORT)
            .with(ProfileGroups.CONNECTX_3_OBJECTS)
            .with(ProfileGroups.MELLANOX.withFirmwareVersion("2.33.5100"))
            .with(ProfileGroups.WINDOWS)
            .with(ProfileGroups.CONNECTX_3_MEMORY)
            .with(Quirk.SETS_MIG_REQ)
            .with(Quirk.CQ_OVERRUN_FAILS_QUEUE_PAIRS)
            .with(Quirk.SILENT_WHEN_INVALIDATION_FAILS);

    /** Linux Soft-RoCE (rxe), as captured. */
    public static final Profile SOFT_ROCE = of("Soft-RoCE", 0)
            .with(ProfileGroups.SOFT_ROCE_QUEUES)
            .with(SharedReceiveCapabilities.NONE.withMaxWr(32_767).withMaxSge(27))
            .with(CompletionCapabilities.NONE
                    .withMaxEntries(32_767)
                    .withVectors(2)
                    .withClockKilohertz(1_000_000))
            .with(AtomicCapabilities.NONE.withEightBytes(true))
            .with(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_4096)
                    .withMaxMessageBytes(0x80_0000L)
                    .withGidTableLength(1024)
                    .withPkeyTableLength(64)
                    .withAckDelayCode(15))
            .with(ProfileGroups.SOFT_ROCE_OBJECTS)
            .with(ProfileGroups.SOFTWARE)
            .with(ProfileGroups.WINDOWS)
            .with(MemoryCapabilities.NONE
                    .with(MemoryCapabilities.Feature.REREGISTRATION)
                    .withPageSizes(0xFFFF_F000L))
            .with(ProfileGroups.SOFT_ROCE_PAGING)
            .with(ProfileGroups.VERB_TIMES)
            .with(Quirk.RETRY_SEVEN_IS_FOREVER)
            .with(Quirk.TOO_LONG_SEND_IS_REMOTE_OPERATION_ERROR)
            .with(Quirk.TOO_LONG_MESSAGE_IS_DROPPED)
            .with(Quirk.NAKS_BEHIND_RNR_NAK)
            .with(Quirk.SILENT_WHEN_INVALIDATION_FAILS);

    /** A ConnectX-5 without atomics, for tests of programs that rely on atomics. */
    public static final Profile NO_ATOMICS = CONNECTX_5
            .withModel("No-Atomics", 0)
            .with(AtomicCapabilities.NONE)
            .with(FirmwareCapabilities.NONE)
            .with(ProfileGroups.SOFTWARE);

    /** A ConnectX-5 with small limits, without type 1 windows, XRC, DC, indirect keys, on-demand paging and tag matching. */
    public static final Profile TINY = CONNECTX_5
            .withModel("Tiny", 0)
            .with(QueueCapabilities.NONE
                    .withMaxWr(16)
                    .withMaxSge(1)
                    .withMaxRdAtomic(1)
                    .withMaxDestRdAtomic(1))
            .with(SharedReceiveCapabilities.NONE.withMaxWr(15).withMaxSge(1))
            .with(CompletionCapabilities.NONE.withMaxEntries(63).withVectors(1).withClockKilohertz(1000))
            .with(AtomicCapabilities.NONE.withEightBytes(true))
            .with(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_1024)
                    .withMaxMessageBytes(1 << 16)
                    .withGidTableLength(2)
                    .withPkeyTableLength(1)
                    .withAckDelayCode(16))
            .with(ProfileGroups.TINY_OBJECTS)
            .with(ProfileGroups.SOFTWARE)
            .with(IndirectKeyCapabilities.NONE)
            .with(ProfileGroups.WINDOWS.withType1(false).withMaxWindows(16))
            .with(MemoryCapabilities.NONE)
            .with(PagingCapabilities.NONE)
            .with(DcCapabilities.NONE)
            .with(TagCapabilities.NONE)
            .with(FirmwareCapabilities.NONE);

    /** All built-in profiles. */
    public static final List<Profile> ALL = List.of(
            CONNECTX_3, CONNECT_IB, CONNECTX_4, CONNECTX_5, CONNECTX_5_IBM, CONNECTX_6, SOFT_ROCE, NO_ATOMICS, TINY);

    private final String name;
    private final int vendorPartId;
    /** Capability groups by class; an empty group is absent. */
    private final Map<Class<?>, Object> groups;

    private final Set<Quirk> quirks;

    private Profile(String name, int vendorPartId, Map<Class<?>, Object> groups, Set<Quirk> quirks) {
        this.name = name;
        this.vendorPartId = vendorPartId;
        this.groups = Map.copyOf(groups);
        this.quirks = Collections.unmodifiableSet(quirks);
    }

    /**
     * A model without capabilities.
     *
     * @param vendorPartId PCI device id; 0 for an adapter in software
     */
    public static Profile of(String name, int vendorPartId) {
        return new Profile(name, vendorPartId, Map.of(), EnumSet.noneOf(Quirk.class));
    }

    /** Finds the profile of {@link #ALL} with this name; {@code ConnectX-5} and {@code connectx5} are equal. */
    public static Optional<Profile> find(String name) {
        return ALL.stream()
                .filter(profile -> plain(profile.name).equals(plain(name)))
                .findFirst();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    }

    /** Display name. */
    public String name() {
        return name;
    }

    /** PCI device id; 0 for an adapter in software. */
    public int vendorPartId() {
        return vendorPartId;
    }

    public QueueCapabilities queues() {
        return group(QueueCapabilities.class, QueueCapabilities.NONE);
    }

    public SharedReceiveCapabilities sharedReceives() {
        return group(SharedReceiveCapabilities.class, SharedReceiveCapabilities.NONE);
    }

    public CompletionCapabilities completions() {
        return group(CompletionCapabilities.class, CompletionCapabilities.NONE);
    }

    public AtomicCapabilities atomics() {
        return group(AtomicCapabilities.class, AtomicCapabilities.NONE);
    }

    public PortCapabilities port() {
        return group(PortCapabilities.class, PortCapabilities.NONE);
    }

    // rule window-function
    /** Memory windows; none on a virtual function of any model. */
    public WindowCapabilities windows() {
        return function() == AdapterFunction.PHYSICAL
                ? group(WindowCapabilities.class, WindowCapabilities.NONE)
                : WindowCapabilities.NONE;
    }

    public MemoryCapabilities memory() {
        return group(MemoryCapabilities.class, MemoryCapabilities.NONE);
    }

    public IndirectKeyCapabilities indirectKeys() {
        return group(IndirectKeyCapabilities.class, IndirectKeyCapabilities.NONE);
    }

    /** On-demand paging that firmware and driver both support. */
    public PagingCapabilities paging() {
        return group(PagingCapabilities.class, PagingCapabilities.NONE);
    }

    /** On-demand paging of firmware and driver, each. */
    public PagingSupport pagingSupport() {
        return group(PagingSupport.class, PagingSupport.NONE);
    }

    /** Features that need the host's processor; on a live adapter, those that are turned on. */
    public PlatformCapabilities platform() {
        return group(PlatformCapabilities.class, PlatformCapabilities.NONE);
    }

    public DcCapabilities dynamicallyConnected() {
        return group(DcCapabilities.class, DcCapabilities.NONE);
    }

    public VerbTimes times() {
        return group(VerbTimes.class, VerbTimes.NONE);
    }

    public TagCapabilities tags() {
        return group(TagCapabilities.class, TagCapabilities.NONE);
    }

    /** Firmware parameters. */
    public FirmwareCapabilities firmware() {
        return group(FirmwareCapabilities.class, FirmwareCapabilities.NONE);
    }

    /** Maximum numbers of objects. */
    public ObjectCapabilities objects() {
        return group(ObjectCapabilities.class, ObjectCapabilities.DEFAULT);
    }

    /** Vendor and versions. */
    public DeviceIdentity identity() {
        return group(DeviceIdentity.class, DeviceIdentity.NONE);
    }

    /**
     * Responder resources of all queue pairs together ({@code max_res_rd_atom}): as many as its queue pairs can have, as in
     * mlx5; at most {@link Integer#MAX_VALUE}.
     */
    public int maxResponderResources() {
        long all = (long) objects().maxQueuePairs() * queues().maxDestRdAtomic();
        return (int) Math.min(Integer.MAX_VALUE, all);
    }

    // rule event-device-flags
    /** Flags of {@code device_cap_flags}, which follow from the capabilities, in the order of the enum. */
    public Set<DeviceFlag> deviceFlags() {
        Set<DeviceFlag> flags = EnumSet.allOf(DeviceFlag.class);
        flags.removeIf(flag -> !reports(flag));
        return Collections.unmodifiableSet(flags);
    }

    private boolean reports(DeviceFlag flag) {
        return switch (flag) {
            case BAD_PKEY_CNTR, BAD_QKEY_CNTR, CHANGE_PHY_PORT, PORT_ACTIVE_EVENT, SYS_IMAGE_GUID, RC_RNR_NAK_GEN ->
                true;
            case SRQ_RESIZE -> sharedReceives().maxWr() > 0;
            case XRC -> sharedReceives().xrc();
            case MEM_MGT_EXTENSIONS -> windows().type2B() || indirectKeys().isSupported();
            case MEM_WINDOW -> windows().type1();
            case MEM_WINDOW_TYPE_2A -> windows().type2A();
            case MEM_WINDOW_TYPE_2B -> windows().type2B();
        };
    }

    public AdapterFunction function() {
        return group(AdapterFunction.class, AdapterFunction.PHYSICAL);
    }

    /** Returns the quirks in the order of the enum. */
    public Set<Quirk> quirks() {
        return quirks;
    }

    public boolean has(Quirk quirk) {
        return quirks.contains(quirk);
    }

    /** The same capabilities under another name. */
    public Profile withModel(String other, int partId) {
        return new Profile(other, partId, groups, quirks);
    }

    public Profile with(QueueCapabilities queues) {
        return with(QueueCapabilities.class, queues, QueueCapabilities.NONE);
    }

    public Profile with(SharedReceiveCapabilities sharedReceives) {
        return with(SharedReceiveCapabilities.class, sharedReceives, SharedReceiveCapabilities.NONE);
    }

    public Profile with(CompletionCapabilities completions) {
        return with(CompletionCapabilities.class, completions, CompletionCapabilities.NONE);
    }

    public Profile with(AtomicCapabilities atomics) {
        return with(AtomicCapabilities.class, atomics, AtomicCapabilities.NONE);
    }

    public Profile with(PortCapabilities port) {
        return with(PortCapabilities.class, port, PortCapabilities.NONE);
    }

    public Profile with(WindowCapabilities windows) {
        return with(WindowCapabilities.class, windows, WindowCapabilities.NONE);
    }

    public Profile with(MemoryCapabilities memory) {
        return with(MemoryCapabilities.class, memory, MemoryCapabilities.NONE);
    }

    public Profile with(IndirectKeyCapabilities indirectKeys) {
        return with(IndirectKeyCapabilities.class, indirectKeys, IndirectKeyCapabilities.NONE);
    }

    /** Sets on-demand paging of both firmware and driver. */
    public Profile with(PagingCapabilities paging) {
        return with(PagingSupport.both(paging));
    }

    public Profile with(PagingSupport paging) {
        // paging() is called often, so the common capabilities are stored as a group of their own.
        return with(PagingSupport.class, paging, PagingSupport.NONE)
                .with(PagingCapabilities.class, paging.agreed(), PagingCapabilities.NONE);
    }

    public Profile with(ObjectCapabilities objects) {
        return with(ObjectCapabilities.class, objects, ObjectCapabilities.DEFAULT);
    }

    public Profile with(DeviceIdentity identity) {
        return with(DeviceIdentity.class, identity, DeviceIdentity.NONE);
    }

    public Profile with(PlatformCapabilities platform) {
        return with(PlatformCapabilities.class, platform, PlatformCapabilities.NONE);
    }

    public Profile with(DcCapabilities dynamicallyConnected) {
        return with(DcCapabilities.class, dynamicallyConnected, DcCapabilities.NONE);
    }

    public Profile with(VerbTimes times) {
        return with(VerbTimes.class, times, VerbTimes.NONE);
    }

    public Profile with(TagCapabilities tags) {
        return with(TagCapabilities.class, tags, TagCapabilities.NONE);
    }

    public Profile with(FirmwareCapabilities firmware) {
        return with(FirmwareCapabilities.class, firmware, FirmwareCapabilities.NONE);
    }

    /** The same model as seen by a context on this PCI function. */
    public Profile with(AdapterFunction function) {
        return with(AdapterFunction.class, function, AdapterFunction.PHYSICAL);
    }

    public Profile with(Quirk quirk) {
        Set<Quirk> more = EnumSet.of(quirk);
        more.addAll(quirks);
        return new Profile(name, vendorPartId, groups, more);
    }

    public Profile without(Quirk quirk) {
        Set<Quirk> less = EnumSet.noneOf(Quirk.class);
        less.addAll(quirks);
        less.remove(quirk);
        return new Profile(name, vendorPartId, groups, less);
    }

    private <G> G group(Class<G> kind, G none) {
        return kind.cast(groups.getOrDefault(kind, none));
    }

    private <G> Profile with(Class<G> kind, G group, G none) {
        Map<Class<?>, Object> all = new LinkedHashMap<>(groups);
        if (group.equals(none)) {
            all.remove(kind);
        } else {
            all.put(kind, group);
        }
        return new Profile(name, vendorPartId, all, quirks);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Profile profile
                && name.equals(profile.name)
                && vendorPartId == profile.vendorPartId
                && groups.equals(profile.groups)
                && quirks.equals(profile.quirks);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + groups.hashCode();
    }

    /** Returns the name, for tests and reports. */
    @Override
    public String toString() {
        return name;
    }
}
