// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.time.temporal.ChronoUnit;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;

/** Attributes of device and port ({@code struct ibv_device_attr_ex}, {@code struct ibv_port_attr}) as words of the contract. */
final class DeviceWords {
    /** All that the numbering of queue pairs, regions and queues of an adapter allows. */
    private static final int MAX_OBJECTS = 1 << 24;

    private static final int MELLANOX = 0x02C9;

    /** Pages of all sizes from 4 KiB on. */
    private static final long PAGE_SIZES = 0xFFFF_F000L;

    private static final long ALL_BITS = -1L;

    /** From this part on adapters have memory of their own, which the C side models. */
    private static final int CONNECTX_5 = 4119;

    private static final int DEVICE_MEMORY_BYTES = 128 << 10;

    private DeviceWords() {}

    /** Writes what a profile says of a device. */
    static void write(Block words, Profile profile) {
        words.putText(Calls.QueryDevice.FIRMWARE, Calls.QueryDevice.NODE_GUID, "0.0.0");
        words.put(Calls.QueryDevice.VENDOR_ID, MELLANOX);
        words.put(Calls.QueryDevice.VENDOR_PART_ID, profile.vendorPartId());
        words.put(Calls.QueryDevice.MAX_MR_SIZE, ALL_BITS);
        words.put(Calls.QueryDevice.PAGE_SIZE_CAP, PAGE_SIZES);
        words.put(Calls.QueryDevice.PHYS_PORT_CNT, 1);
        words.put(Calls.QueryDevice.MAX_PKEYS, profile.port().pkeyTableLength());
        words.put(Calls.QueryDevice.ATOMIC_CAP, profile.atomics().scope().code());
        words.put(Calls.QueryDevice.DEVICE_CAP_FLAGS, flags(profile));
        words.put(Calls.QueryDevice.DEVICE_CAP_FLAGS_EX, flags(profile));
        words.put(Calls.QueryDevice.MAX_DM_SIZE, profile.vendorPartId() >= CONNECTX_5 ? DEVICE_MEMORY_BYTES : 0);
        objects(words);
        queues(words, profile);
        completions(words, profile.completions());
        tags(words, profile.tags());
        paging(words, profile.paging());
        DcCapabilities dc = profile.dynamicallyConnected();
        words.put(Calls.QueryDevice.DCI_LOG_STREAMS, dc.hasStreams() ? dc.logStreamChannels() : 0);
        words.put(Calls.QueryDevice.DCI_LOG_ERRORED, dc.hasStreams() ? dc.logErroredStreams() : 0);
        words.putText(Calls.QueryDevice.BOARD_ID, Calls.QueryDevice.DCI_LOG_STREAMS, profile.name());
    }

    private static void objects(Block words) {
        words.put(Calls.QueryDevice.MAX_QP, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_CQ, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_MR, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_PD, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_AH, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_MCAST_GRP, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_MCAST_QP_ATTACH, MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_TOTAL_MCAST_QP_ATTACH, MAX_OBJECTS);
    }

    private static void queues(Block words, Profile profile) {
        words.put(Calls.QueryDevice.MAX_QP_WR, profile.queues().maxWr());
        words.put(Calls.QueryDevice.MAX_SGE, profile.queues().maxSge());
        words.put(Calls.QueryDevice.MAX_SGE_RD, profile.queues().maxSge());
        words.put(Calls.QueryDevice.MAX_QP_RD_ATOM, profile.queues().maxDestRdAtomic());
        words.put(Calls.QueryDevice.MAX_QP_INIT_RD_ATOM, profile.queues().maxRdAtomic());
        words.put(
                Calls.QueryDevice.MAX_RES_RD_ATOM,
                Math.min(Integer.MAX_VALUE, (long) profile.queues().maxDestRdAtomic() * MAX_OBJECTS));
        words.put(Calls.QueryDevice.MAX_MW, profile.windows().maxWindows());
        words.put(Calls.QueryDevice.MAX_SRQ, profile.sharedReceives().maxWr() == 0 ? 0 : MAX_OBJECTS);
        words.put(Calls.QueryDevice.MAX_SRQ_WR, profile.sharedReceives().maxWr());
        words.put(Calls.QueryDevice.MAX_SRQ_SGE, profile.sharedReceives().maxSge());
    }

    private static void completions(Block words, CompletionCapabilities completions) {
        words.put(Calls.QueryDevice.MAX_CQE, completions.maxEntries());
        words.put(Calls.QueryDevice.COMPLETION_TIMESTAMP_MASK, completions.clockKilohertz() == 0 ? 0 : ALL_BITS);
        words.put(Calls.QueryDevice.HCA_CORE_CLOCK_KHZ, completions.clockKilohertz());
        words.put(Calls.QueryDevice.MODERATION_MAX_COUNT, completions.maxModeratedEntries());
        words.put(
                Calls.QueryDevice.MODERATION_MAX_PERIOD_US,
                completions.maxModerationPeriod().dividedBy(ChronoUnit.MICROS.getDuration()));
    }

    private static void tags(Block words, TagCapabilities tags) {
        words.put(Calls.QueryDevice.TAG_RENDEZVOUS_BYTES, tags.maxRendezvousHeaderBytes());
        words.put(Calls.QueryDevice.TAG_MAX_TAGS, tags.maxTags());
        words.put(Calls.QueryDevice.TAG_FLAGS, tags.isSupported() && tags.rc() ? Calls.TmCap.RC : 0);
        words.put(Calls.QueryDevice.TAG_MAX_OPS, tags.maxOperations());
        words.put(Calls.QueryDevice.TAG_MAX_SGE, tags.maxSge());
    }

    private static void paging(Block words, PagingCapabilities paging) {
        words.put(
                Calls.QueryDevice.ODP_GENERAL,
                (paging.has(PagingCapabilities.Feature.EXPLICIT) ? Calls.Odp.SUPPORT : 0)
                        | (paging.has(PagingCapabilities.Feature.IMPLICIT) ? Calls.Odp.SUPPORT_IMPLICIT : 0));
        words.put(Calls.QueryDevice.ODP_RC, uses(paging, PagingCapabilities.Transport.RC));
        words.put(Calls.QueryDevice.ODP_UC, uses(paging, PagingCapabilities.Transport.UC));
        words.put(Calls.QueryDevice.ODP_UD, uses(paging, PagingCapabilities.Transport.UD));
        words.put(Calls.QueryDevice.ODP_XRC, uses(paging, PagingCapabilities.Transport.XRC));
        words.put(Calls.QueryDevice.DC_ODP, uses(paging, PagingCapabilities.Transport.DC));
    }

    private static long uses(PagingCapabilities paging, PagingCapabilities.Transport transport) {
        long bits = 0;
        for (PagingCapabilities.Use use : paging.uses(transport)) {
            bits |= switch (use) {
                case SEND -> Calls.OdpTransport.SEND;
                case RECEIVE -> Calls.OdpTransport.RECV;
                case WRITE -> Calls.OdpTransport.WRITE;
                case READ -> Calls.OdpTransport.READ;
                case ATOMIC -> Calls.OdpTransport.ATOMIC;
                case SHARED_RECEIVE -> Calls.OdpTransport.SRQ_RECV;
            };
        }
        return bits;
    }

    private static long flags(Profile profile) {
        WindowCapabilities windows = profile.windows();
        long flags = Calls.DeviceCap.BAD_PKEY_CNTR
                | Calls.DeviceCap.CHANGE_PHY_PORT
                | Calls.DeviceCap.PORT_ACTIVE_EVENT
                | Calls.DeviceCap.SYS_IMAGE_GUID
                | Calls.DeviceCap.RC_RNR_NAK_GEN;
        flags |= profile.sharedReceives().maxWr() > 0 ? Calls.DeviceCap.SRQ_RESIZE : 0;
        flags |= profile.sharedReceives().xrc() ? Calls.DeviceCap.XRC : 0;
        flags |= windows.type1() ? Calls.DeviceCap.MEM_WINDOW : 0;
        flags |= windows.type2A() ? Calls.DeviceCap.MEM_WINDOW_TYPE_2A : 0;
        flags |= windows.type2B() ? Calls.DeviceCap.MEM_WINDOW_TYPE_2B : 0;
        return flags | (windows.type2A() || windows.type2B() ? Calls.DeviceCap.MEM_MGT_EXTENSIONS : 0);
    }

    /** Width 4x ({@code active_width}) and 25 Gb/s a lane ({@code active_speed}). */
    private static final int WIDTH_4X = 2;

    private static final int SPEED_EDR = 32;

    /** Writes the attributes of a port. */
    static void write(Block words, PortAttributes port, Profile profile) {
        words.put(Calls.QueryPort.STATE, port.active() ? Calls.PortState.ACTIVE : Calls.PortState.DOWN);
        words.put(Calls.QueryPort.PHYS_STATE, port.active() ? Calls.PhysState.LINK_UP : Calls.PhysState.DISABLED);
        words.put(Calls.QueryPort.MAX_MTU, port.maxMtu().code());
        words.put(Calls.QueryPort.ACTIVE_MTU, port.activeMtu().code());
        words.put(Calls.QueryPort.GID_TABLE_LENGTH, port.gidTableLength());
        words.put(Calls.QueryPort.PKEY_TABLE_LENGTH, port.pkeyTableLength());
        words.put(Calls.QueryPort.MAX_MESSAGE_BYTES, Math.min(profile.port().maxMessageBytes(), 0xFFFF_FFFFL));
        words.put(Calls.QueryPort.PORT_CAP_FLAGS, Calls.PortCap.CM_SUP | Calls.PortCap.IP_BASED_GIDS);
        words.put(Calls.QueryPort.MAX_VL_NUM, 1);
        words.put(Calls.QueryPort.ACTIVE_WIDTH, WIDTH_4X);
        words.put(Calls.QueryPort.ACTIVE_SPEED, SPEED_EDR);
        words.put(Calls.QueryPort.LINK_LAYER, Calls.LinkLayer.ETHERNET);
    }
}
