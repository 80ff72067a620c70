// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.judge.walk.Request.Flaws;
import org.hcaactors.judge.walk.Request.Report;
import org.hcaactors.judge.walk.Request.Verb;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.judge.walk.WalkObjects.Region;
import org.hcaactors.judge.walk.WalkObjects.WalkAddressHandle;
import org.hcaactors.lab.pair.Transport;

/** Steps that post requests, mostly with right keys, some with stale, wrong or foreign ones; they wait for none. */
final class WorkSteps {
    private static final int DATAGRAM = 200;
    private static final int INLINE = 64;
    /** One in this many requests has a mistake. */
    private static final int FLAW = 25;

    static final int NO_KEY = 0x00C0_FFEE;
    private static final byte[] NO_HEADER = {};
    private static final LocalSlice EMPTY_NOWHERE = new LocalSlice(NO_KEY, 0x10, 0);

    private final WalkContext walk;
    private final ReceiveSteps receives;

    WorkSteps(WalkContext walk, ReceiveSteps receives) {
        this.walk = walk;
        this.receives = receives;
    }

    /** Posts a request, preferably on a queue pair with a peer. */
    void request() {
        List<WalkQueuePair> speaking = walk.open(WalkQueuePair.class).stream()
                .filter(qp -> qp.peer().isPresent())
                .toList();
        List<WalkQueuePair> ready = speaking.stream()
                .filter(qp -> !qp.mayBeFull() && !qp.wasMeantToStop())
                .toList();
        Optional<WalkQueuePair> chosen =
                walk.oneIn(10) || ready.isEmpty() ? walk.pick(WalkQueuePair.class) : walk.anyOf(ready);
        chosen.ifPresent(this::request);
    }

    private void request(WalkQueuePair qp) {
        Verb verb = switch (qp.transport) {
            case RC, XRC, DC ->
                walk.any(List.of(
                        Verb.SEND,
                        Verb.SEND,
                        Verb.WRITE,
                        Verb.WRITE,
                        Verb.WRITE_WITH_IMMEDIATE,
                        Verb.READ,
                        Verb.READ,
                        Verb.ATOMIC));
            case UC -> walk.any(List.of(Verb.SEND, Verb.WRITE, Verb.WRITE_WITH_IMMEDIATE));
            case UD -> Verb.SEND;
        };
        if (verb.takesReceive() && walk.random.nextInt(8) != 0) {
            qp.peer().ifPresent(receives::receive);
        }
        Optional<WalkQueuePair> peer = qp.peer();
        Optional<RegionAlias> alias =
                verb == Verb.SEND || verb == Verb.ATOMIC ? Optional.empty() : peer.flatMap(this::aliasAt);
        Optional<Region> remoteRegion = verb == Verb.SEND
                ? Optional.empty()
                : alias.map(way -> way.region).or(() -> peer.flatMap(other -> walk.regionOf(other.domain)));
        if (verb != Verb.SEND && remoteRegion.isEmpty()) {
            return;
        }
        walk.regionOf(qp.domain).ifPresent(localRegion -> request(qp, verb, localRegion, remoteRegion, alias));
    }

    /** Returns a window or an indirect key at the peer. */
    private Optional<RegionAlias> aliasAt(WalkQueuePair peer) {
        return walk.oneIn(3)
                ? walk.pick(RegionAlias.class, alias -> alias.region.domain == peer.domain && !alias.mayLeadElsewhere())
                : Optional.empty();
    }

    private void request(
            WalkQueuePair qp,
            Verb verb,
            Region localRegion,
            Optional<Region> remoteRegion,
            Optional<RegionAlias> alias) {
        boolean badHere = walk.oneIn(FLAW);
        boolean badThere = remoteRegion.isPresent() && walk.oneIn(FLAW);
        boolean inline = !verb.scatters() && walk.oneIn(6);
        IncrementVerb way = verb == Verb.ATOMIC ? addition(qp) : IncrementVerb.PLAIN;
        int bytes = verb == Verb.ATOMIC
                ? way.bytes()
                : inline
                        ? walk.random.nextInt(INLINE + 1)
                        : Long.BYTES
                                + walk.random.nextInt(
                                        (qp.transport == Transport.UD ? DATAGRAM : Memory.CELL) - Long.BYTES + 1);
        RequestBuffer localBuffer = RequestBuffer.in(localRegion, verb.scatters());
        Optional<RequestBuffer> remoteBuffer = remoteRegion.map(region -> RequestBuffer.in(region, verb != Verb.READ));
        Report report = report(qp);
        long id = walk.requests.nextId();
        String what = verb + " " + id + " of " + bytes + " bytes on " + qp.name();
        Call call = walk.journal.begin(what, List.of(qp)).mayLast();
        boolean unprovided = verb.takesReceive()
                && !qp.peer().filter(WalkQueuePair::promiseReceive).isPresent();
        Request request = new Request(
                id,
                verb,
                report,
                bytes,
                new Flaws(badHere && !inline, badThere, false),
                call,
                Optional.of(qp),
                Optional.empty(),
                Optional.of(localRegion),
                inline,
                remoteRegion,
                unprovided);
        alias.ifPresent(request::goesThrough);
        request.addsBy(way);
        walk.requests.add(request);
        prepare(request, localBuffer, remoteBuffer);
        List<LocalSlice> local = local(localBuffer, bytes, badHere && !inline, inline);
        post(request, qp, local, remoteBuffer.map(place -> remote(place, alias, verb, badThere)), inline);
    }

    /** Returns a kind of atomic that both ends support. */
    private IncrementVerb addition(WalkQueuePair qp) {
        int sizes = qp.peer().map(peer -> maskedSizes(peer) & maskedSizes(qp)).orElse(0);
        return walk.any(
                Stream.of(IncrementVerb.values()).filter(way -> way.isOf(sizes)).toList());
    }

    private static int maskedSizes(WalkQueuePair qp) {
        return qp.domain.context.program.adapter.profile().atomics().maskedSizes();
    }

    private Report report(WalkQueuePair qp) {
        int lot = walk.random.nextInt(10);
        return lot < 5 ? Report.STAGE : lot < 8 || !qp.transport.isReliable() ? Report.ENTRY : Report.SILENT;
    }

    private static List<LocalSlice> local(RequestBuffer localBuffer, int bytes, boolean bad, boolean inline) {
        LocalSlice whole = localBuffer.region().handle().slice(localBuffer.offset(), bytes);
        LocalSlice slice = bad ? new LocalSlice(NO_KEY, whole.address(), bytes) : whole;
        return inline ? List.of(slice, EMPTY_NOWHERE) : List.of(slice);
    }

    private static RemoteAddress remote(
            RequestBuffer remoteBuffer, Optional<RegionAlias> alias, Verb verb, boolean bad) {
        int offset = verb == Verb.ATOMIC ? Memory.WORD : remoteBuffer.offset();
        RemoteAddress right = alias.map(each -> each.remote(offset))
                .orElseGet(() -> remoteBuffer.region().handle().remote(offset));
        return bad ? new RemoteAddress(NO_KEY, right.address()) : right;
    }

    /** Fills the buffers with bytes that identify the request; the result is checked when it ends with SUCCESS. */
    private void prepare(Request request, RequestBuffer localBuffer, Optional<RequestBuffer> remoteBuffer) {
        switch (request.verb) {
            case SEND -> localBuffer.fill(tagged(request, localBuffer.region()), request.id, request.bytes);
            case WRITE, WRITE_WITH_IMMEDIATE -> localBuffer.fill(NO_HEADER, request.id, request.bytes);
            case READ -> remoteBuffer.ifPresent(place -> place.fill(NO_HEADER, request.id, request.bytes));
            case ATOMIC ->
                remoteBuffer.ifPresent(place -> {
                    place.region().memory.mayHaveAdded++;
                    request.whenDone(() -> place.region().memory.haveAdded += isAmongPeers(request) ? 1 : 0);
                });
            case RECEIVE, KEY, LIST, UNLIST -> {}
        }
        boolean acknowledged =
                request.qp.filter(qp -> qp.transport.isReliable()).isPresent();
        boolean reliable = acknowledged && isAmongPeers(request);
        boolean alone =
                localBuffer.own() && remoteBuffer.filter(place -> !place.own()).isEmpty();
        if (reliable && alone && (request.verb == Verb.WRITE || request.verb == Verb.WRITE_WITH_IMMEDIATE)) {
            remoteBuffer.ifPresent(place -> request.whenDone(() -> sameAt(request, place)));
        }
        if (reliable && alone && request.verb == Verb.READ) {
            request.whenDone(() -> sameAt(request, localBuffer));
        }
        request.whenDone(() -> {
            localBuffer.release();
            if (acknowledged) {
                remoteBuffer.ifPresent(RequestBuffer::release);
            }
        });
    }

    /** Returns the header of a message to a queue with tag matching; for any other, an empty one. */
    private byte[] tagged(Request request, Region localRegion) {
        return request.qp
                .filter(qp -> qp.peer().filter(WalkQueuePair::comparesTags).isPresent())
                .map(qp -> TagSteps.header(walk, qp, localRegion, request.bytes))
                .orElse(NO_HEADER);
    }

    private static boolean isAmongPeers(Request request) {
        return request.qp.filter(qp -> !qp.speaksWithStrangers()).isPresent();
    }

    private void sameAt(Request request, RequestBuffer place) {
        Payload.check(walk.requests, request, place.region().memory, place.offset(), request.id, request.bytes);
    }

    private void post(
            Request request, WalkQueuePair qp, List<LocalSlice> local, Optional<RemoteAddress> remote, boolean inline) {
        switch (qp.transport) {
            case RC -> {
                RcQueuePair rc = (RcQueuePair) qp.handle();
                RcWork work = flagged(work(request, local, remote), request, inline);
                post(request, qp, Optional.empty(), inline, () -> rc.submit(work), () -> rc.post(work));
            }
            case UC -> {
                UcQueuePair uc = (UcQueuePair) qp.handle();
                if (flagged(work(request, local, remote), request, inline) instanceof UcWork work) {
                    post(request, qp, Optional.empty(), inline, () -> uc.submit(work), () -> uc.post(work));
                }
            }
            case UD -> datagram(request, qp, local, inline);
            case XRC, DC -> throw new IllegalArgumentException("a walk does not use " + qp.transport + " queue pairs");
        }
    }

    private void datagram(Request request, WalkQueuePair qp, List<LocalSlice> local, boolean inline) {
        Optional<WalkAddressHandle> path = walk.pick(WalkAddressHandle.class, each -> each.domain == qp.domain);
        if (path.isEmpty()) {
            request.cutOff();
            walk.journal.now(request.posting, ended -> AllowedAnswer.SUCCESS_ONLY, () -> {});
            return;
        }
        UdQueuePair ud = (UdQueuePair) qp.handle();
        Send plain = Send.of(request.id, local).withFlags(flags(request, inline));
        int number = walk.anyOf(walk.open(WalkQueuePair.class).stream()
                        .filter(other -> other.transport == Transport.UD
                                && other.domain.context.program.adapter == path.get().to)
                        .toList())
                .map(other -> other.handle().number())
                .orElse(1);
        UdAddress to = UdAddress.of(path.get().handle(), number, QKey.of(ConnectionSteps.QKEY));
        post(request, qp, path, inline, () -> ud.submit(to, plain), () -> ud.post(to, plain));
    }

    private static RcWork work(Request request, List<LocalSlice> local, Optional<RemoteAddress> remote) {
        RemoteAddress target = remote.orElse(new RemoteAddress(0, 0));
        LocalSlice first = local.getFirst();
        return switch (request.verb) {
            case SEND -> Send.of(request.id, local.toArray(LocalSlice[]::new));
            case WRITE -> RdmaWrite.of(request.id, local, target);
            case WRITE_WITH_IMMEDIATE -> RdmaWrite.of(request.id, local, target).withImmediate((int) request.id);
            case READ -> RdmaRead.of(request.id, first, target);
            case ATOMIC -> request.addition().work(request.id, first, target);
            case RECEIVE, KEY, LIST, UNLIST -> throw new IllegalArgumentException(request.verb + " transfers no bytes");
        };
    }

    private RcWork flagged(RcWork work, Request request, boolean inline) {
        return work.withFlags(flags(request, inline));
    }

    private SendFlags flags(Request request, boolean inline) {
        return SendFlags.NONE
                .withSignaled(request.report == Report.ENTRY)
                .withSolicited(walk.oneIn(4))
                .withFence(walk.oneIn(8))
                .withInline(inline);
    }

    void post(
            Request request,
            WalkQueuePair qp,
            Optional<WalkAddressHandle> path,
            boolean inline,
            Supplier<CompletionStage<WorkCompletion>> submit,
            Runnable post) {
        boolean isFull = qp.mayBeFull();
        AllowedAnswer plain = AllowedAnswers.posting(
                request.posting, qp, QpState.RTS, isFull, path.stream().toList());
        AllowedAnswer posting = inline && request.bytes > 0 ? readAtOnce(request, plain) : plain;
        qp.requests.add(request);
        walk.requests.posted(request);
        if (request.report == Report.STAGE) {
            walk.journal.<WorkCompletion>later(
                    request.posting,
                    ended -> submitted(request, posting),
                    submit,
                    completion -> walk.requests.answered(request, completion));
        } else {
            walk.journal.now(request.posting, ended -> posting, post);
            refused(request);
        }
    }

    /**
     * Handles a failed stage: a request that was not posted is removed from the queue pair; one cancelled later may have been
     * executed.
     */
    private void refused(Request request) {
        if (request.posting.wasRefused()) {
            walk.requests.cutOff(request);
        }
        if (request.posting.wasRefusedWith(Errno.EINVAL) || request.posting.wasRefusedWith(Errno.ENOMEM)) {
            request.qp.ifPresent(qp -> qp.requests.remove(request));
        }
    }

    /**
     * Returns the allowed answers of an inline request: its bytes are read while it is posted, which needs memory but no key.
     */
    private static AllowedAnswer readAtOnce(Request request, AllowedAnswer posting) {
        int now = request.posting.began();
        Memory memory = request.source().memory;
        return posting.orRefusedIf(memory.mayGoSince(now), Errno.EINVAL).onlyRefusedIf(memory.isGoneBefore(now));
    }

    /**
     * Returns the allowed answers of a submit: refused at once like a post, cancelled later, or answered by a completion of any
     * status.
     */
    private AllowedAnswer submitted(Request request, AllowedAnswer posting) {
        refused(request);
        boolean cutOff = posting.success() && walk.requests.ends().mayHaveNoCompletion(request);
        return posting.orRefusedIf(cutOff, Errno.ECANCELED)
                .orRefusedIf(request.qp.filter(qp -> qp.sends.mayHaveLost()).isPresent(), Errno.EIO);
    }
}
