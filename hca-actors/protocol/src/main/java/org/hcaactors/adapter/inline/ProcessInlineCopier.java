// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.host.ProcessBytes;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;

/**
 * Copies inline data to the memory of a queue pair's process, by address, whatever the keys permit (rules inline-poll,
 * inline-keys). Either all bytes are copied or none is (rule inline-unmapped).
 *
 * @param memory memory of the polling process
 * @param element the queue pair
 */
public record ProcessInlineCopier(ProcessMemory memory, AdapterTrace trace, Element element) implements InlineCopier {
    @Override
    public WorkCompletion copy(WorkCompletion entry, InlineData inlineData) {
        Optional<InlineCopyFailed> refusal = refusal(inlineData);
        if (refusal.isEmpty()) {
            refusal = copyAll(entry, inlineData);
        }
        return refusal.map(reason -> failed(entry, inlineData, reason)).orElse(entry);
    }

    // rule inline-too-long
    private Optional<InlineCopyFailed> refusal(InlineData inlineData) {
        int left = inlineData.bytes().length();
        if (left > inlineData.room()) {
            return Optional.of(new InlineCopyFailed.LongerThanBuffers(left, inlineData.room()));
        }
        for (LocalSlice slice : inlineData.to()) {
            int count = Math.min(left, slice.lengthBytes());
            Optional<InlineCopyFailed> refusal = count == 0 ? Optional.empty() : memory.refusal(slice, count);
            if (refusal.isPresent()) {
                return refusal;
            }
            left -= count;
        }
        return Optional.empty();
    }

    /** Memory that is unmapped at the same moment counts as never mapped. */
    private Optional<InlineCopyFailed> copyAll(WorkCompletion entry, InlineData inlineData) {
        List<LocalSlice> slices = inlineData.to();
        Octets bytes = inlineData.bytes();
        ProcessBytes destination = memory.space().bytes();
        int done = 0;
        for (int i = 0; done < bytes.length(); i++) {
            LocalSlice slice = slices.get(i);
            int count = Math.min(bytes.length() - done, slice.lengthBytes());
            if (count > 0 && !destination.write(slice.address(), bytes, done, count)) {
                return Optional.of(new InlineCopyFailed.NothingMapped(slice.address(), count));
            }
            if (count > 0) {
                trace(entry, slice, bytes.slice(done, count), inlineData.event());
            }
            done += count;
        }
        return Optional.empty();
    }

    private void trace(WorkCompletion entry, LocalSlice slice, Octets bytes, long cause) {
        if (trace.enabled()) {
            trace.record(
                    cause,
                    at -> new HcaEvent.InlineCopied(
                            at, trace.port(), element, entry.workId(), memory.process(), slice.address(), bytes));
        }
    }

    @MutationPoint("process-inline-copier.failed")
    private WorkCompletion failed(WorkCompletion entry, InlineData inlineData, InlineCopyFailed reason) {
        Status status = switch (reason) {
            case InlineCopyFailed.LongerThanBuffers longer -> Status.LOC_LEN_ERR;
            case InlineCopyFailed.NothingMapped nothing -> Status.LOC_PROT_ERR;
            case InlineCopyFailed.NotByAddress other -> Status.LOC_PROT_ERR;
        };
        WorkCompletion failed = new WorkCompletion(
                entry.workId(), status, entry.kind(), entry.qpNumber(), 0, WorkCompletion.Details.NONE);
        if (trace.enabled()) {
            trace.record(
                    inlineData.event(),
                    at -> new HcaEvent.InlineCopyRefused(at, trace.port(), element, failed, reason));
        }
        return entry.timestampTicks().isPresent()
                ? failed.withTimestampTicks(entry.timestampTicks().getAsLong())
                : failed;
    }
}
