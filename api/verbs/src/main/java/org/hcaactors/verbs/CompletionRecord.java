// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;

/** A completion as a record of the contract ({@code struct ibv_wc}). Used by the polling thread. */
final class CompletionRecord {
    private static final Datagram NO_DATAGRAM = Datagram.from(0);
    private static final TagInfo.Info NO_TAG = new TagInfo.Info(0, 0);

    /** What mlx5 has in the place of the service level: bit 3 says UDP, the others say which header is before it. */
    private static final int OVER_IPV6 = 9;

    private static final int OVER_IPV4 = 10;

    private CompletionRecord() {}

    /**
     * Writes all fields of the record at an address, the time by that clock.
     *
     * @param mlx5 true if the driver of the adapter would be mlx5
     */
    static void write(long at, WorkCompletion completion, WallClock clock, boolean mlx5) {
        AddressSpace.putLong(at + Calls.Completion.WR_ID, completion.workId());
        AddressSpace.putInt(at + Calls.Completion.STATUS, completion.status().code());
        AddressSpace.putInt(at + Calls.Completion.OPCODE, completion.kind().code());
        AddressSpace.putInt(at + Calls.Completion.VENDOR_ERROR, completion.vendorError());
        AddressSpace.putInt(at + Calls.Completion.BYTE_LENGTH, (int) completion.lengthBytes());
        AddressSpace.putInt(at + Calls.Completion.QP_NUMBER, completion.qpNumber());
        // There is no subnet manager, which would give local addresses.
        AddressSpace.putInt(at + Calls.Completion.SLID, 0);
        AddressSpace.putInt(at + Calls.Completion.SERVICE_LEVEL, mlx5 ? networkHeader(completion) : 0);
        AddressSpace.putInt(at + Calls.Completion.PATH_BITS, 0);
        AddressSpace.putInt(at + Calls.Completion.SPARE, 0);
        AddressSpace.putInt(at + Calls.Completion.FLAGS, completion.flags());
        times(at, completion, clock);
        immediate(at, completion);
        datagram(at, completion);
        tagging(at, completion);
    }

    private static void times(long at, WorkCompletion completion, WallClock clock) {
        long ticks = completion.timestampTicks().orElse(0);
        AddressSpace.putLong(at + Calls.Completion.TIMESTAMP, ticks);
        AddressSpace.putLong(at + Calls.Completion.WALLCLOCK_NS, ticks == 0 ? 0 : clock.nanosAt(ticks));
    }

    private static void immediate(long at, WorkCompletion completion) {
        int value = completion.invalidated().isPresent()
                ? completion.invalidated().getAsInt()
                : completion.immediate().orElse(0);
        AddressSpace.putInt(at + Calls.Completion.IMMEDIATE, value);
    }

    private static void datagram(long at, WorkCompletion completion) {
        Datagram received = completion.datagram().orElse(NO_DATAGRAM);
        AddressSpace.putInt(at + Calls.Completion.SOURCE_QP, received.sourceQp());
        AddressSpace.putInt(at + Calls.Completion.PKEY_INDEX, received.pkeyIndex());
    }

    // rule ud-network-header
    private static int networkHeader(WorkCompletion completion) {
        if (completion.datagram().isEmpty()) {
            return 0;
        }
        return completion.datagram().get().ipv4() ? OVER_IPV4 : OVER_IPV6;
    }

    private static void tagging(long at, WorkCompletion completion) {
        TagInfo.Info info = completion.tagging().flatMap(TagInfo::info).orElse(NO_TAG);
        AddressSpace.putLong(at + Calls.Completion.TAG, info.tag());
        AddressSpace.putInt(at + Calls.Completion.TAG_PRIVATE, info.appContext());
    }
}
