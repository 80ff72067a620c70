// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.time.Instant;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;

/** A completion as a record of the contract ({@code struct ibv_wc}). Used by the polling thread. */
final class CompletionRecord {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private CompletionRecord() {}

    /** Writes all fields of the record at an address. */
    static void write(long at, WorkCompletion completion) {
        AddressSpace.putLong(at + Calls.Completion.WR_ID, completion.workId());
        AddressSpace.putInt(
                at + Calls.Completion.STATUS, completion.status().code());
        AddressSpace.putInt(at + Calls.Completion.OPCODE, completion.kind().code());
        AddressSpace.putInt(at + Calls.Completion.VENDOR_ERROR, completion.vendorError());
        AddressSpace.putInt(at + Calls.Completion.BYTE_LENGTH, (int) completion.lengthBytes());
        AddressSpace.putInt(at + Calls.Completion.QP_NUMBER, completion.qpNumber());
        // There is no subnet manager, which would give local addresses.
        AddressSpace.putInt(at + Calls.Completion.SLID, 0);
        AddressSpace.putInt(at + Calls.Completion.SERVICE_LEVEL, 0);
        AddressSpace.putInt(at + Calls.Completion.PATH_BITS, 0);
        AddressSpace.putInt(at + Calls.Completion.SPARE, 0);
        times(at, completion);
        int flags = immediate(at, completion) | datagram(at, completion) | tagging(at, completion);
        AddressSpace.putInt(at + Calls.Completion.FLAGS, flags);
    }

    private static void times(long at, WorkCompletion completion) {
        long ticks = completion.timestampTicks().orElse(0);
        AddressSpace.putLong(at + Calls.Completion.TIMESTAMP, ticks);
        AddressSpace.putLong(at + Calls.Completion.WALLCLOCK_NS, ticks == 0 ? 0 : wallClockNanos());
    }

    private static long wallClockNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }

    private static int immediate(long at, WorkCompletion completion) {
        boolean invalidated = completion.invalidated().isPresent();
        int value = invalidated
                ? completion.invalidated().getAsInt()
                : completion.immediate().orElse(0);
        AddressSpace.putInt(at + Calls.Completion.IMMEDIATE, value);
        return (completion.immediate().isPresent() ? Calls.WcFlag.WITH_IMM : 0)
                | (invalidated ? Calls.WcFlag.WITH_INV : 0);
    }

    private static int datagram(long at, WorkCompletion completion) {
        int source = completion.datagram().map(Datagram::sourceQp).orElse(0);
        AddressSpace.putInt(at + Calls.Completion.SOURCE_QP, source);
        AddressSpace.putInt(
                at + Calls.Completion.PKEY_INDEX,
                completion.datagram().map(Datagram::pkeyIndex).orElse(0));
        return completion.datagram().filter(Datagram::globalRoute).isPresent() ? Calls.WcFlag.GRH : 0;
    }

    private static int tagging(long at, WorkCompletion completion) {
        TagInfo tagging = completion.tagging().orElse(TagInfo.NONE);
        TagInfo.Info info = tagging.info().orElse(new TagInfo.Info(0, 0));
        AddressSpace.putLong(at + Calls.Completion.TAG, info.tag());
        AddressSpace.putInt(at + Calls.Completion.TAG_PRIVATE, info.appContext());
        return (tagging.syncRequested() ? Calls.WcFlag.TM_SYNC_REQ : 0)
                | (tagging.matched() ? Calls.WcFlag.TM_MATCH : 0)
                | (tagging.dataValid() ? Calls.WcFlag.TM_DATA_VALID : 0);
    }
}
