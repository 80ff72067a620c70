// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.judge.walk.Request.Flaws;
import org.hcaactors.judge.walk.Request.Report;
import org.hcaactors.judge.walk.Request.Verb;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.judge.walk.WalkObjects.Shared;

/** Steps with receives, of a queue pair or shared, and with limits of shared receive queues. */
final class ReceiveSteps {
    /** One in this many receives has a mistake. */
    private static final int FLAW = 50;

    private final WalkContext walk;

    ReceiveSteps(WalkContext walk) {
        this.walk = walk;
    }

    void receive() {
        walk.pick(WalkQueuePair.class).ifPresent(this::receive);
    }

    void receive(WalkQueuePair qp) {
        if (qp.shared.isPresent() && !walk.oneIn(10)) {
            receive(qp.shared.get());
            return;
        }
        walk.regionOf(qp.domain).ifPresent(region -> {
            RequestBuffer place = RequestBuffer.in(region, true);
            Call call = walk.journal.begin("post a receive to " + qp.name(), List.of(qp));
            Request request = receive(call, Optional.of(qp), Optional.empty(), place);
            AllowedAnswer posting = AllowedAnswers.posting(call, qp, QpState.INIT, qp.mayBeFullOfReceives(), List.of())
                    .orRefusedIf(qp.shared.isPresent(), Errno.EINVAL)
                    .onlyRefusedIf(qp.shared.isPresent());
            walk.journal.now(call, ended -> posting, () -> qp.handle().postReceive(work(request, place)));
            if (call.succeeded()) {
                qp.posted.add(request);
                walk.requests.posted(request);
            } else {
                request.cutOff();
                place.release();
            }
        });
    }

    void shared() {
        walk.pick(Shared.class).ifPresent(this::receive);
    }

    private void receive(Shared queue) {
        walk.regionOf(queue.domain).ifPresent(region -> {
            RequestBuffer place = RequestBuffer.in(region, true);
            Call call = walk.journal.begin("post a receive to " + queue.name(), List.of(queue));
            Request request = receive(call, Optional.empty(), Optional.of(queue), place);
            boolean full = queue.mayBeFull(ObjectSteps.SHARED_LENGTH);
            walk.journal.now(
                    call,
                    ended -> AllowedAnswers.using(ended, queue).orRefusedIf(full, Errno.ENOMEM),
                    () -> queue.handle().postReceive(work(request, place)));
            if (call.succeeded()) {
                queue.receives.add(request);
                walk.requests.posted(request);
            } else {
                request.cutOff();
                place.release();
            }
        });
    }

    Request receive(Call call, Optional<WalkQueuePair> qp, Optional<Shared> shared, RequestBuffer place) {
        boolean bad = walk.oneIn(FLAW);
        boolean small = walk.oneIn(FLAW);
        Request request = new Request(
                walk.requests.nextId(),
                Verb.RECEIVE,
                Report.ENTRY,
                small ? Long.BYTES : Memory.CELL,
                new Flaws(bad, false, small),
                call,
                qp,
                shared,
                Optional.of(place.region()),
                false,
                Optional.empty(),
                false);
        if (place.own()) {
            request.ownsBytesAt(place.offset());
        }
        walk.requests.add(request);
        request.whenDone(place::release);
        return request;
    }

    static Receive work(Request request, RequestBuffer place) {
        LocalSlice whole = place.region().handle().slice(place.offset(), request.bytes);
        LocalSlice slice =
                request.flaws.badLocalKey() ? new LocalSlice(WorkSteps.NO_KEY, whole.address(), request.bytes) : whole;
        return Receive.of(request.id, slice);
    }

    /** Arms a limit; subscribers to the events receive its event. */
    void limit() {
        walk.pick(Shared.class).ifPresent(queue -> {
            int limit = walk.random.nextInt(ObjectSteps.SHARED_LENGTH + 4);
            boolean beyond = limit > ObjectSteps.SHARED_LENGTH;
            Call call = walk.journal.begin("arm a limit of " + limit + " on " + queue.name(), List.of(queue));
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, queue)
                            .orRefusedIf(beyond, Errno.EINVAL)
                            .onlyRefusedIf(beyond),
                    () -> queue.handle().armLimit(limit),
                    done -> {});
        });
    }
}
