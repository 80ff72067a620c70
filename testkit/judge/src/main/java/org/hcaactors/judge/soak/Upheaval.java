// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.fault.Victim;

/** What can happen to a crowd beside its traffic. */
final class Upheaval {
    private enum Act {
        DESTROY,
        CLOSE,
        RESET,
        FAIL,
        DEREGISTER_SOURCE,
        DEREGISTER_TARGET,
        DEREGISTER_INBOX,
        DESTROY_WHAT_IS_USED,
        CONNECT_ANOTHER,
        CLOSE_CONTEXT,
        EXIT,
        CRASH_QUEUE_PAIR,
        CRASH_COMPLETION_QUEUE,
        CRASH_SHARED_RECEIVES,
        CRASH_TRANSLATOR
    }

    /** Something of that adapter broke. */
    private record Fatal(String adapter, AsyncEvent event) {
        /** A queue pair breaks with a queue that it uses, and all of one side use the same. */
        boolean isOrFollowsFrom(Fatal other) {
            boolean breaksItsUsers = other.event.kind() != AsyncEvent.Kind.QP_FATAL;
            return equals(other)
                    || adapter.equals(other.adapter) && event.kind() == AsyncEvent.Kind.QP_FATAL && breaksItsUsers;
        }
    }

    private static final int MOST_CRASHES = 14;

    private final Crowd crowd;
    private final LaneGround ground;
    private final SplittableRandom lots;
    private final ConcurrentLinkedQueue<Fatal> heard = new ConcurrentLinkedQueue<>();
    /** What must be told of those that were made to crash. */
    private final Set<Fatal> onPurpose = new LinkedHashSet<>();

    Upheaval(Crowd crowd, SplittableRandom lots) {
        this.crowd = crowd;
        this.lots = lots;
        ground = crowd.ground;
        listenTo(crowd.left);
        listenTo(crowd.right);
    }

    private void listenTo(Premises side) {
        String adapter = side.adapter.name();
        side.context.asyncEvents().subscribe(Subscribers.forEach(event -> heard(adapter, event), why -> {}));
    }

    private void heard(String adapter, AsyncEvent event) {
        switch (event.kind()) {
            case QP_FATAL, CQ_ERR, SRQ_ERR, DEVICE_FATAL -> heard.add(new Fatal(adapter, event));
            case QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PORT_ACTIVE,
                    PORT_ERR,
                    PKEY_CHANGE,
                    SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED,
                    GID_CHANGE,
                    DCT_KEY_VIOLATION,
                    DCT_ACCESS_ERR,
                    DCT_REQ_ERR -> {}
        }
    }

    void checkThatNothingCrashedByItself() {
        List<Fatal> byItself = heard.stream()
                .filter(each -> onPurpose.stream().noneMatch(each::isOrFollowsFrom))
                .toList();
        LaneGround.check(
                byItself.isEmpty(),
                "nothing should crash but what was made to, " + onPurpose + ", and there came " + byItself);
    }

    /** One of the acts; none is waited for. */
    void strike() {
        RcPair pair = crowd.pairs.get(lots.nextInt(crowd.pairs.size()));
        boolean near = lots.nextBoolean();
        Premises side = near ? crowd.left : crowd.right;
        RcQueuePair qp = near ? pair.local() : pair.remote();
        switch (Act.values()[lots.nextInt(Act.values().length)]) {
            case DESTROY -> verb("destroying", qp, qp::destroy);
            case CLOSE -> verb("closing", qp, qp::closeAsync);
            case RESET -> verb("resetting", qp, () -> qp.modify(QpModify.to(QpState.RESET)));
            case FAIL -> verb("failing", qp, () -> qp.modify(QpModify.to(QpState.ERR)));
            case DEREGISTER_SOURCE -> verb("deregistering", crowd.source, crowd.source::deregister);
            case DEREGISTER_TARGET -> verb("deregistering", crowd.target, crowd.target::deregister);
            case DEREGISTER_INBOX -> verb("deregistering", crowd.inbox, crowd.inbox::deregister);
            case DESTROY_WHAT_IS_USED -> {
                verb("destroying", crowd.sends, crowd.sends::destroy);
                verb("destroying", crowd.srq, crowd.srq::destroy);
            }
            case CONNECT_ANOTHER -> ground.given("connecting", "another pair", crowd.connect());
            case CLOSE_CONTEXT -> verb("closing", side.context, side.context::closeAsync);
            case EXIT -> ground.given("exit of", side.process.name(), side.process.exit());
            case CRASH_QUEUE_PAIR ->
                crash(new Victim.QueuePairOf(side.adapter.name(), qp.number()), () -> {
                    verb("querying", qp, qp::query);
                    verb("modifying", qp, () -> qp.modify(QpModify.to(QpState.ERR)));
                });
            case CRASH_COMPLETION_QUEUE ->
                crash(
                        new Victim.CompletionQueueOf(
                                side.adapter.name(), qp.sendCq().number()),
                        () -> verb("resizing", qp.sendCq(), () -> qp.sendCq().resize(1023)));
            case CRASH_SHARED_RECEIVES ->
                crash(
                        new Victim.SharedReceivesOf(crowd.right.adapter.name(), crowd.srq.number()),
                        () -> verb("querying", crowd.srq, crowd.srq::query));
            case CRASH_TRANSLATOR -> {
                int key = near ? crowd.source.lkey() : crowd.target.lkey();
                crash(new Victim.TranslatorOf(side.adapter.name(), key), () -> {});
            }
        }
    }

    /** Again and again, sometimes: an actor that crashed answers all the same. */
    private void crash(Victim victim, Runnable then) {
        told(victim).ifPresent(event -> onPurpose.add(new Fatal(victim.adapter(), event)));
        int times = lots.nextInt(4) == 0 ? MOST_CRASHES : 1;
        for (int i = 0; i < times; i++) {
            ground.crash(victim);
        }
        then.run();
    }

    private static Optional<AsyncEvent> told(Victim victim) {
        return switch (victim) {
            case Victim.QueuePairOf qp -> Optional.of(new AsyncEvent(AsyncEvent.Kind.QP_FATAL, qp.number()));
            case Victim.CompletionQueueOf cq -> Optional.of(new AsyncEvent(AsyncEvent.Kind.CQ_ERR, cq.number()));
            case Victim.SharedReceivesOf srq -> Optional.of(new AsyncEvent(AsyncEvent.Kind.SRQ_ERR, srq.number()));
            case Victim.AdapterItself self -> Optional.of(new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0));
            case Victim.TranslatorOf key -> Optional.empty();
        };
    }

    private void verb(String doing, Handle what, Supplier<? extends CompletionStage<?>> verb) {
        try {
            ground.given(doing, what.describe(), verb.get());
        } catch (VerbsException refused) {
            // It is gone already.
        }
    }
}
