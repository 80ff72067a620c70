// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * A work request as it stands on the send queue. What each of its packets and its end ask of it is told apart once, at post.
 *
 * @param work what to do
 * @param id of the request
 * @param local its elements
 * @param kind which verb
 * @param lengthBytes of the message
 * @param extras what few requests have; apart, so that the many stay small
 * @param awaitsResponse a READ or an atomic: it completes by its response, not by an acknowledgement
 * @param changesKey it changes a memory key and sends nothing
 * @param isFenced it waits for READs and atomics before it
 * @param isSolicited its last packet asks for a solicited event, where it takes a receive
 * @param isWanted its end is told, also where the queue pair does not signal all
 * @param isBare a SEND that brings its bytes and nothing else
 */
public record PostedRequest(
        WorkRequest work,
        long id,
        List<LocalSlice> local,
        CompletionKind kind,
        long lengthBytes,
        Extras extras,
        boolean awaitsResponse,
        @MutationPoint("posted-request.changes-key") boolean changesKey,
        @MutationPoint("posted-request.is-fenced") boolean isFenced,
        boolean isSolicited,
        boolean isWanted,
        boolean isBare) {
    public PostedRequest(WorkRequest work, CompletionKind kind, long lengthBytes, Extras extras) {
        this(work, work.local(), work.flags(), kind, lengthBytes, extras);
    }

    /** Whose elements and flags were read already. */
    public PostedRequest(
            WorkRequest work,
            List<LocalSlice> local,
            SendFlags flags,
            CompletionKind kind,
            long lengthBytes,
            Extras extras) {
        this(
                work,
                work.id(),
                local,
                kind,
                lengthBytes,
                extras,
                kind == CompletionKind.RDMA_READ || kind.isAtomic(),
                kind.changesKey(),
                flags.fenced(),
                flags.solicited(),
                flags.signaled() || extras.stage != null || extras.request != null,
                work instanceof Send send
                        && send.immediate().isEmpty()
                        && send.invalidates().isEmpty());
    }

    /**
     * @param inline the data, if it was copied at post
     * @param stage where {@code submit} waits, if it does
     * @param to where it goes, if it brings its address
     * @param request what it belongs to, if the adapter asks by itself
     * @param traceId the event of the posting, 0 if nothing is traced
     */
    public record Extras(
            @Nullable Octets inline,
            @Nullable Reply<WorkCompletion> stage,
            @Nullable Destination to,
            @Nullable AdapterRequest request,
            long traceId) {
        public static final Extras NONE = new Extras(null, null, null, null, 0);

        /** Of what the adapter asks by itself. */
        public static Extras of(AdapterRequest request, @Nullable Destination to, long traceId) {
            return new Extras(null, null, to, request, traceId);
        }

        public Extras with(Octets data) {
            return new Extras(data, stage, to, request, traceId);
        }

        public static Extras of(
                @Nullable Octets inline,
                @Nullable Reply<WorkCompletion> stage,
                @Nullable Destination to,
                long traceId) {
            return inline == null && stage == null && to == null && traceId == 0
                    ? NONE
                    : new Extras(inline, stage, to, null, traceId);
        }
    }

    /** A SEND or a WRITE that waits for nothing before it. */
    public boolean isPlain() {
        return !awaitsResponse && !changesKey && !isFenced;
    }

    @Nullable
    public Octets inline() {
        return extras.inline;
    }

    @Nullable
    public Reply<WorkCompletion> stage() {
        return extras.stage;
    }

    /** Where it goes; only if it is a datagram. */
    public Destination.Datagram to() {
        if (extras.to instanceof Destination.Datagram datagram) {
            return datagram;
        }
        throw new IllegalStateException("request " + id + " is no datagram");
    }

    /** Where it goes; only over DC. */
    public Destination.Dynamic toTarget() {
        if (extras.to instanceof Destination.Dynamic dynamic) {
            return dynamic;
        }
        throw new IllegalStateException("request " + id + " names no target");
    }

    /** Headers that lead each of its packets. */
    List<ExtendedHeader> leading() {
        return extras.to instanceof Destination.Named named ? named.leading() : List.of();
    }

    /** What it belongs to, if the adapter asks by itself. */
    @Nullable
    public AdapterRequest request() {
        return extras.request;
    }

    /**
     * The way to its elements.
     *
     * @param own of its queue pair
     */
    public LocalMemory memory(LocalMemory own) {
        return extras.request == null ? own : extras.request.memory();
    }

    public long traceId() {
        return extras.traceId;
    }

    public boolean isAtomic() {
        return kind.isAtomic();
    }

    /** Of the value that an atomic changes. */
    public int atomicBytes() {
        return atomicBytes(work);
    }

    public static int atomicBytes(WorkRequest work) {
        if (work instanceof MaskedCompareAndSwap swap) {
            return swap.sizeBytes();
        }
        return work instanceof MaskedFetchAdd add ? add.sizeBytes() : Long.BYTES;
    }

    public static CompletionKind kindOf(WorkRequest work) {
        return switch (work) {
            case Send send -> CompletionKind.SEND;
            case RdmaWrite write -> CompletionKind.RDMA_WRITE;
            case RdmaRead read -> CompletionKind.RDMA_READ;
            case CompareAndSwap swap -> CompletionKind.COMP_SWAP;
            case FetchAdd add -> CompletionKind.FETCH_ADD;
            case MaskedCompareAndSwap swap -> CompletionKind.MASKED_COMP_SWAP;
            case MaskedFetchAdd add -> CompletionKind.MASKED_FETCH_ADD;
            case LocalInvalidate invalidate -> CompletionKind.LOCAL_INV;
            case BindWindow bind -> CompletionKind.BIND_MW;
            case FillKey fill -> CompletionKind.UMR;
        };
    }

    // rule completion-unsignaled
    boolean wantsCompletion(boolean signalAll) {
        return signalAll || isWanted;
    }
}
