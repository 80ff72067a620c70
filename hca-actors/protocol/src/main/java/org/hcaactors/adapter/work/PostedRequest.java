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
 * A work request on the send queue. What its packets and its completion need is computed once, at post.
 *
 * @param work the work request
 * @param id id of the request
 * @param local scatter/gather list
 * @param kind kind of its completion
 * @param lengthBytes length of the message
 * @param extras values that few requests have, kept apart to keep the others small
 * @param awaitsResponse a READ or an atomic: it completes by its response, not by an acknowledgement
 * @param changesKey it changes a memory key and sends nothing
 * @param isFenced it waits for the READs and atomics before it
 * @param isSolicited its last packet requests a solicited event, if it consumes a receive
 * @param signaled its completion is wanted, also if the queue pair does not signal all requests
 * @param isBare a SEND of data only, without immediate data or invalidation
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
        boolean signaled,
        boolean isBare) {
    public PostedRequest(WorkRequest work, CompletionKind kind, long lengthBytes, Extras extras) {
        this(work, work.local(), work.flags(), kind, lengthBytes, extras);
    }

    /** Creates a request whose scatter/gather list and flags were read already. */
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
                flags.fence(),
                flags.solicited(),
                flags.signaled() || extras.stage != null || extras.request != null,
                work instanceof Send send
                        && send.immediate().isEmpty()
                        && send.invalidate().isEmpty());
    }

    /**
     * @param inline the data, if it was copied at post
     * @param stage completes {@code submit}, if the request was submitted that way
     * @param to destination, if the request names one
     * @param request the adapter's own request that this is, if the program did not post it
     * @param traceId event of the posting, 0 if nothing is traced
     */
    public record Extras(
            @Nullable Octets inline,
            @Nullable Reply<WorkCompletion> stage,
            @Nullable Destination to,
            @Nullable AdapterInitiatedRequest request,
            long traceId) {
        public static final Extras NONE = new Extras(null, null, null, null, 0);

        /** Creates the extras of the adapter's own request. */
        public static Extras of(AdapterInitiatedRequest request, @Nullable Destination to, long traceId) {
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

    /** Returns the request with the event of its posting. */
    public PostedRequest tracedAs(long posting) {
        return new PostedRequest(
                work,
                id,
                local,
                kind,
                lengthBytes,
                new Extras(extras.inline, extras.stage, extras.to, extras.request, posting),
                awaitsResponse,
                changesKey,
                isFenced,
                isSolicited,
                signaled,
                isBare);
    }

    /** True for a SEND or WRITE that does not wait for requests before it. */
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

    /** Returns the destination of a datagram; call it only for datagrams. */
    public Destination.Datagram to() {
        if (extras.to instanceof Destination.Datagram datagram) {
            return datagram;
        }
        throw new IllegalStateException("request " + id + " is not a datagram");
    }

    /** Returns the destination over DC; call it only for DC requests. */
    public Destination.Dynamic toTarget() {
        if (extras.to instanceof Destination.Dynamic dynamic) {
            return dynamic;
        }
        throw new IllegalStateException("request " + id + " names no target");
    }

    /** Returns the headers at the start of each packet of the request. */
    List<ExtendedHeader> leading() {
        return extras.to instanceof Destination.Named named ? named.leading() : List.of();
    }

    /** Returns the adapter's own request that this is, or null if the program posted it. */
    @Nullable
    public AdapterInitiatedRequest request() {
        return extras.request;
    }

    /**
     * Returns the access to the memory of its scatter/gather list.
     *
     * @param own the queue pair's own access
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

    /** Size of the value that an atomic changes, in bytes. */
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
    boolean isSignaled(boolean signalAll) {
        return signalAll || signaled;
    }
}
