// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Uncopied;
import org.hcaactors.adapter.host.ProcessBytes;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;

/**
 * The memory of a queue pair's process, where the library copies what completions carry: by addresses, whatever the keys allow
 * (rules inline-poll, inline-keys). Either all bytes are moved or none is (rule inline-unmapped).
 *
 * @param memory of the process that polls
 * @param who the queue pair
 */
public record Unloading(ProcessMemory memory, AdapterTrace trace, Element who) implements Landing {
    @Override
    public WorkCompletion land(WorkCompletion entry, Cargo cargo) {
        Optional<Uncopied> refusal = refusal(cargo);
        if (refusal.isEmpty()) {
            refusal = copy(entry, cargo);
        }
        return refusal.map(why -> failed(entry, cargo, why)).orElse(entry);
    }

    // rule inline-too-long
    private Optional<Uncopied> refusal(Cargo cargo) {
        int left = cargo.bytes().length();
        if (left > cargo.room()) {
            return Optional.of(new Uncopied.LongerThanBuffers(left, cargo.room()));
        }
        for (LocalSlice slice : cargo.to()) {
            int count = Math.min(left, slice.lengthBytes());
            Optional<Uncopied> refusal = count == 0 ? Optional.empty() : memory.refusal(slice, count);
            if (refusal.isPresent()) {
                return refusal;
            }
            left -= count;
        }
        return Optional.empty();
    }

    /** What is unmapped at the same moment is as if it had never been mapped. */
    private Optional<Uncopied> copy(WorkCompletion entry, Cargo cargo) {
        List<LocalSlice> slices = cargo.to();
        Octets bytes = cargo.bytes();
        ProcessBytes there = new ProcessBytes(memory.space());
        int done = 0;
        for (int i = 0; done < bytes.length(); i++) {
            LocalSlice slice = slices.get(i);
            int count = Math.min(bytes.length() - done, slice.lengthBytes());
            if (count > 0 && !there.write(slice.address(), bytes, done, count)) {
                return Optional.of(new Uncopied.NothingMapped(slice.address(), count));
            }
            if (count > 0) {
                tell(entry, slice, bytes.slice(done, count), cargo.event());
            }
            done += count;
        }
        return Optional.empty();
    }

    private void tell(WorkCompletion entry, LocalSlice slice, Octets bytes, long cause) {
        if (trace.enabled()) {
            trace.record(
                    cause,
                    at -> new HcaEvent.Copied(
                            at, trace.port(), who, entry.workId(), memory.process(), slice.address(), bytes));
        }
    }

    @MutationPoint("unloading.failed")
    private WorkCompletion failed(WorkCompletion entry, Cargo cargo, Uncopied why) {
        Status status = switch (why) {
            case Uncopied.LongerThanBuffers longer -> Status.LOC_LEN_ERR;
            case Uncopied.NothingMapped nothing -> Status.LOC_PROT_ERR;
            case Uncopied.NotByAddress other -> Status.LOC_PROT_ERR;
        };
        WorkCompletion failed = new WorkCompletion(
                entry.workId(), status, entry.kind(), entry.qpNumber(), 0, WorkCompletion.Details.NONE);
        if (trace.enabled()) {
            trace.record(cargo.event(), at -> new HcaEvent.CopyRefused(at, trace.port(), who, failed, why));
        }
        return entry.timestampTicks().isPresent()
                ? failed.at(entry.timestampTicks().getAsLong())
                : failed;
    }
}
