// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.flow.RetriesExhausted;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Follows an event back to its causes, and explains each step. */
final class Narrator {
    private final ExplanationBuilder explanation;
    private final Lineage lineage;

    Narrator(ExplanationBuilder explanation) {
        this.explanation = explanation;
        this.lineage = explanation.lineage();
    }

    /** Explains the event and returns the subject. */
    String tell(TraceEvent event) {
        explanation.show(event);
        return switch (event) {
            case HcaEvent.Completed done -> completed(done);
            case HcaEvent.InlineCopyRefused refused -> copyRefused(refused);
            case HcaEvent.Raised raised -> {
                raised(raised);
                yield raised.event().kind() + " of " + element(raised);
            }
            case TestkitEvent bench
            when bench.isRefusal() -> {
                String[] parts = bench.what().split(": ", 2);
                explanation.say((bench.isOfVerb() ? "the testkit: " : "") + parts[parts.length - 1]);
                yield bench.port() + ": " + parts[0];
            }
            case TestkitEvent bench
            when bench.isEnd() -> {
                lastRequest(bench);
                yield bench.port() + ": " + bench.what();
            }
            case HcaEvent.ConnectionChanged changed
            when ConnectionCauses.isExplained(changed.step()) -> {
                connections().explain(changed);
                yield words(event);
            }
            default -> {
                because(event);
                yield words(event);
            }
        };
    }

    /** The adapter has no part in the end of a process, so this only says where its program was. */
    private void lastRequest(TestkitEvent end) {
        explanation
                .lastBefore(
                        end, HcaEvent.WorkPosted.class, posted -> posted.port().equals(end.port()))
                .ifPresent(posted -> explanation
                        .show(posted)
                        .say("the last request that is recorded is " + request(posted) + ", posted at "
                                + Wording.micros(posted.stamp().nanos()) + " us"));
    }

    /** Explains why an end of a connection waits, and returns the subject. */
    String tellWaiting(HcaEvent.ConnectionChanged end) {
        explanation.show(end);
        connections().attempts(end, Long.MAX_VALUE);
        return end.step() == ConnectionStep.ASKED
                ? end.port() + ": qp" + end.qp() + " is not connected to " + end.peer() + " yet"
                : end.port() + ": qp" + end.qp() + ", which accepts the request of " + end.peer()
                        + ", is not connected yet";
    }

    private ConnectionCauses connections() {
        return new ConnectionCauses(explanation, this::tampering);
    }

    static String words(TraceEvent event) {
        return switch (event) {
            case FabricEvent packet -> packet.port() + ": " + Wording.of(packet.packet());
            case AdapterEvent inside ->
                inside.port() + ": "
                        + Wording.inside(inside)
                                .or(() -> Wording.detail(inside))
                                .orElseGet(() -> inside.getClass().getSimpleName());
        };
    }

    private String completed(HcaEvent.Completed done) {
        Optional<HcaEvent.InlineCopyRefused> refused =
                lineage.cause(done).flatMap(cause -> new InlineDataSteps(explanation).refusal(cause, done));
        if (refused.isPresent()) {
            explanation.show(refused.get());
            return copyRefused(refused.get());
        }
        WorkCompletion completion = done.completion();
        Optional<HcaEvent.WorkPosted> posting = lineage.event(done.stamp().otherCause())
                .filter(HcaEvent.WorkPosted.class::isInstance)
                .map(HcaEvent.WorkPosted.class::cast);
        posting.ifPresent(explanation::show);
        String name = posting.map(Narrator::request).orElseGet(() -> TagConsumption.name(done));
        if (completion.isSuccess()) {
            posting.ifPresentOrElse(posted -> success(posted, done), () -> received(done));
            return name + " succeeded";
        }
        posting.ifPresentOrElse(posted -> failure(posted, done), () -> because(done));
        String carriedOut = posting.flatMap(new RemoteExecution(lineage)::at)
                .filter(nanos -> nanos <= done.stamp().nanos())
                .map(nanos -> ", although its peer had executed it at " + Wording.micros(nanos) + " us")
                .orElse("");
        return name + " ended with " + completion.status() + carriedOut;
    }

    static String request(HcaEvent.WorkPosted posted) {
        return "request " + posted.work().id() + " of " + posted.port() + "/" + posted.element() + " ("
                + Wording.of(posted.work()) + ")";
    }

    /** Explains a receive that succeeded in the adapter, but failed when the program polled it. */
    private String copyRefused(HcaEvent.InlineCopyRefused refused) {
        WorkCompletion completion = refused.completion();
        boolean receives = completion.kind() == CompletionKind.RECV;
        Optional<HcaEvent.WorkPosted> posting = lineage.posting(refused);
        posting.ifPresent(explanation::show);
        posting.filter(posted -> receives).ifPresent(posted -> explanation.say("it received " + request(posted)));
        lineage.cause(refused).ifPresent(carried -> {
            explanation.show(carried).say(words(carried));
            lineage.cause(carried).ifPresent(explanation::show);
        });
        explanation.say(refused.port() + "/" + refused.element() + ": " + ReasonTexts.of(refused.reason()));
        String name = posting.filter(posted -> !receives)
                .map(Narrator::request)
                .orElse("receive " + completion.workId() + " of " + refused.port() + "/" + refused.element());
        return name + " ended with " + completion.status();
    }

    private void received(HcaEvent.Completed done) {
        lineage.posting(done).ifPresent(posted -> {
            explanation.show(posted).say("it received " + request(posted));
            waits(posted, done);
            new InlineDataSteps(explanation).tell(done);
            new AwaitedPages(explanation, posted, done).explain();
        });
    }

    private void success(HcaEvent.WorkPosted posted, HcaEvent.Completed done) {
        answer(done);
        new InlineDataSteps(explanation).tell(done);
        Delays delays = new Delays(explanation, posted, done);
        List<FabricEvent.Sent> all = delays.transmissions();
        delays.show();
        boolean again = delays.explainRetransmissions();
        delays.explainRnrWaits();
        if (again) {
            int psn = all.getFirst().packet().psn();
            new TransmissionHistory(lineage, posted.port(), posted.element(), psn, done).losses(explanation);
        } else if (!all.isEmpty()
                && !all.getFirst().packet().opcode().transport().isAnswered()) {
            all.forEach(new UndeliveredPackets(explanation)::explain);
        }
        new AwaitedPages(explanation, posted, done).explain();
    }

    /**
     * Waits are explained before the final failure, which is nearer to the root cause; page faults that failed are the root
     * cause.
     */
    private void failure(HcaEvent.WorkPosted posted, HcaEvent.Completed done) {
        AwaitedPages pages = new AwaitedPages(explanation, posted, done);
        switch (done.completion().status()) {
            case RETRY_EXC_ERR, WR_FLUSH_ERR -> because(done);
            case RNR_RETRY_EXC_ERR -> {
                because(done);
                pages.explain();
            }
            default -> {
                waits(posted, done);
                if (pages.failed()) {
                    because(done);
                    pages.explain();
                } else {
                    pages.explain();
                    because(done);
                }
            }
        }
    }

    private void waits(HcaEvent.WorkPosted posted, HcaEvent.Completed done) {
        Delays delays = new Delays(explanation, posted, done);
        if (delays.explainRnrWaits()) {
            delays.show();
        }
    }

    private void answer(HcaEvent.Completed done) {
        lineage.cause(done)
                .filter(FabricEvent.Delivered.class::isInstance)
                .map(FabricEvent.Delivered.class::cast)
                .ifPresent(answer -> {
                    lineage.sending(answer).ifPresent(explanation::show);
                    explanation.say("it was answered: " + Wording.of(answer.packet()));
                });
    }

    /** Explains the causes of an event, not the event itself. */
    private void because(TraceEvent event) {
        Optional<TraceEvent> cause = lineage.cause(event);
        if (cause.isEmpty() || explanation.shows(cause.get()) && !(cause.get() instanceof FabricEvent)) {
            return;
        }
        explanation.show(cause.get());
        switch (cause.get()) {
            case HcaEvent.Failed failed -> failed(failed);
            case HcaEvent.GaveUp gaveUp -> gaveUp(gaveUp);
            case HcaEvent.StateChanged changed -> stateChanged(changed);
            case HcaEvent.Raised raised -> raised(raised);
            case FabricEvent.Delivered delivered -> arrival(delivered);
            case HcaEvent.TagRemoved late -> new TagConsumption(explanation).faster(late);
            case HcaEvent other -> {
                Wording.of(other).ifPresent(words -> explanation.say(other.port() + ": " + words));
                because(other);
            }
            case FabricEvent fabric -> because(fabric);
            default -> {}
        }
    }

    /** Explains a failure: by the packet that arrived, then by the queue pair's reason. */
    private void failed(HcaEvent.Failed failed) {
        Optional<FabricEvent.Delivered> arrival = lineage.cause(failed)
                .filter(FabricEvent.Delivered.class::isInstance)
                .map(FabricEvent.Delivered.class::cast);
        String reason = failed.port() + "/" + failed.element() + ": " + ReasonTexts.of(failed.reason())
                + new KeyHistory(explanation).words(failed, failed.reason());
        if (arrival.isPresent() && arrival.get().packet().operation().isResponse()) {
            explanation.say(reason);
            arrival(arrival.get());
            return;
        }
        arrival.ifPresent(packet -> {
            lineage.sending(packet).ifPresent(explanation::show);
            String requestText = lineage.posting(packet)
                    .map(posted -> " for " + request(posted))
                    .orElse("");
            explanation.say(
                    failed.port() + "/" + failed.element() + " received " + Wording.of(packet.packet()) + requestText);
            lineage.posting(packet).ifPresent(explanation::show);
        });
        explanation.say(reason);
        if (failed.reason() == NoReceive.STARVED) {
            bench(failed, failed.port(), failed.element().toString());
        }
        new SrqHistory(explanation).failure(failed, failed.reason()).ifPresent(this::explainDependency);
        arrival.ifPresent(this::tampering);
    }

    /** Explains an event of an object that the queue pair depends on. */
    private void explainDependency(HcaEvent.Raised one) {
        explanation.show(one);
        explanation.say(one.event().kind() + " was raised for " + element(one));
        raised(one);
    }

    /** Explains a response that arrived: the request it answers, and why. */
    private void arrival(FabricEvent.Delivered arrival) {
        Optional<FabricEvent.Sent> sent = lineage.sending(arrival);
        sent.ifPresent(explanation::show);
        tampering(arrival);
        sent.flatMap(lineage::cause).ifPresent(request -> {
            if (request instanceof FabricEvent arrived) {
                lineage.sending(arrived).ifPresent(explanation::show);
            }
            lineage.consequences(request, HcaEvent.Failed.class).stream()
                    .findFirst()
                    .ifPresent(failed -> {
                        explanation.show(failed);
                        failed(failed);
                    });
        });
    }

    private void tampering(FabricEvent.Delivered arrival) {
        Optional<TraceEvent> before = lineage.cause(arrival);
        before.filter(FabricEvent.Forged.class::isInstance)
                .map(FabricEvent.Forged.class::cast)
                .ifPresent(forged -> {
                    explanation.show(forged);
                    explanation.say("no port sent the " + Wording.of(forged.packet()) + " that arrived at "
                            + arrival.port() + "/qp" + arrival.packet().bth().destQp() + ": " + forged.what());
                });
        before.filter(FabricEvent.Disturbed.class::isInstance)
                .map(FabricEvent.Disturbed.class::cast)
                .ifPresent(disturbed -> {
                    explanation.show(disturbed);
                    explanation.say("on its way from " + disturbed.port() + ": " + disturbed.what());
                });
    }

    private void gaveUp(HcaEvent.GaveUp gaveUp) {
        explanation.say(gaveUp.port() + "/" + gaveUp.element() + " gave up at psn " + gaveUp.psn() + ": "
                + ReasonTexts.of(gaveUp.reason()));
        boolean notReady = gaveUp.reason() instanceof RetriesExhausted.RnrRetries;
        TransmissionHistory attempts =
                new TransmissionHistory(lineage, gaveUp.port(), gaveUp.element(), gaveUp.psn(), gaveUp);
        attempts.tell(
                explanation,
                notReady ? TransmissionHistory.ExhaustedRetry.NOT_READY : TransmissionHistory.ExhaustedRetry.LOSS);
        attempts.ignoredByPeer()
                .flatMap(ignored -> explanation.lastBefore(
                        ignored,
                        HcaEvent.StateChanged.class,
                        changed -> changed.port().equals(ignored.port())
                                && changed.element().equals(ignored.element())))
                // Two queue pairs in ERR, each of which waits for the other, are explained once.
                .filter(changed -> changed.to() == QpState.ERR && !explanation.shows(changed))
                .ifPresent(changed -> {
                    explanation.show(changed);
                    stateChanged(changed);
                });
    }

    private void stateChanged(HcaEvent.StateChanged changed) {
        String element = changed.port() + "/" + changed.element();
        explanation.say(element + " changed from " + changed.from() + " to " + changed.to() + ": "
                + ReasonTexts.of(changed.reason()));
        if (changed.reason() instanceof DependencyFailure breakdown) {
            brokenDown(breakdown, changed, changed.port(), changed.element());
            return;
        }
        Optional<TraceEvent> cause = lineage.cause(changed)
                .or(() -> changed.reason() == StateReason.REFUSED_ITS_PEER
                        ? explanation.lastBefore(
                                changed,
                                HcaEvent.Failed.class,
                                failed -> failed.port().equals(changed.port())
                                        && failed.element().equals(changed.element()))
                        : Optional.empty());
        cause.ifPresent(reason -> {
            lineage.consequences(reason, HcaEvent.Completed.class).stream()
                    .filter(done -> done.completion().status() != Status.WR_FLUSH_ERR)
                    .findFirst()
                    .ifPresent(done -> {
                        explanation.show(done);
                        explanation.say(done.port() + "/qp" + done.completion().qpNumber() + "'s "
                                + (done.stamp().otherCause() == 0 ? "receive " : "request ")
                                + done.completion().workId() + " ended with "
                                + done.completion().status());
                    });
            explanation.show(reason);
            switch (reason) {
                case HcaEvent.Failed failed -> failed(failed);
                case HcaEvent.GaveUp gaveUp -> gaveUp(gaveUp);
                default -> because(reason);
            }
        });
        if (cause.isEmpty()) {
            bench(changed, changed.port(), "device");
            connectionEnded(changed);
        }
    }

    // rule cm-disconnect
    /** A queue pair enters ERR at the moment when its connection ends. */
    private void connectionEnded(HcaEvent.StateChanged changed) {
        explanation
                .lastBefore(
                        changed,
                        HcaEvent.ConnectionChanged.class,
                        one -> one.port().equals(changed.port())
                                && one.qp() == changed.element().number()
                                && one.stamp().nanos() == changed.stamp().nanos()
                                && ConnectionCauses.isExplained(one.step()))
                .filter(ended -> changed.to() == QpState.ERR)
                .ifPresent(ended -> {
                    explanation.show(ended).say(words(ended));
                    connections().explain(ended);
                });
    }

    private void raised(HcaEvent.Raised raised) {
        AsyncEvent event = raised.event();
        if (raised.reason() instanceof DependencyFailure breakdown) {
            explanation.say(element(raised) + ": " + ReasonTexts.of(breakdown));
            if (breakdown == DependencyFailure.ITS_ACTOR) {
                bench(raised, raised.port(), raised.element().toString());
            } else {
                brokenDown(breakdown, raised, raised.port(), raised.element());
            }
            return;
        }
        if (raised.reason() == EventDetail.Plainly.SEE_CAUSE) {
            because(raised);
            return;
        }
        explanation.say(element(raised) + ": " + ReasonTexts.of(raised.reason()));
        switch (event.kind().source()) {
            case PORT -> {
                bench(raised, raised.port(), "port");
                bench(raised, raised.port(), "device");
            }
            case DEVICE, COMPLETION_QUEUE, SHARED_RECEIVE_QUEUE -> {}
            case QUEUE_PAIR -> because(raised);
        }
    }

    /** Explains the error event of an object that the queue pair depends on. */
    private void brokenDown(DependencyFailure what, TraceEvent event, String port, Element element) {
        Optional<HcaEvent.QueuePairCreated> created = explanation.lastBefore(
                event,
                HcaEvent.QueuePairCreated.class,
                one -> one.port().equals(port) && one.element().equals(element));
        Optional<HcaEvent.Raised> raised = explanation.lastBefore(
                event, HcaEvent.Raised.class, one -> one.port().equals(port) && isBehind(what, one.event(), created));
        if (what == DependencyFailure.ITS_ACTOR) {
            bench(event, port, element.toString());
        }
        raised.ifPresent(this::explainDependency);
    }

    private static boolean isBehind(
            DependencyFailure what, AsyncEvent event, Optional<HcaEvent.QueuePairCreated> created) {
        return switch (what) {
            case ITS_ACTOR -> false;
            case DEVICE -> event.kind() == AsyncEvent.Kind.DEVICE_FATAL;
            case COMPLETION_QUEUE ->
                event.kind() == AsyncEvent.Kind.CQ_ERR
                        && created.map(qp -> qp.sendCq() == event.element() || qp.recvCq() == event.element())
                                .orElse(false);
            case SHARED_RECEIVES ->
                event.kind() == AsyncEvent.Kind.SRQ_ERR
                        && created.map(qp -> qp.srq().isPresent() && qp.srq().getAsInt() == event.element())
                                .orElse(false);
        };
    }

    /** Blames a fault if the last one on that part of the adapter happened before the event. */
    private void bench(TraceEvent event, String port, String element) {
        explanation
                .lastBefore(
                        event,
                        TestkitEvent.class,
                        one -> one.port().equals(port) && one.element().equals(element))
                .ifPresent(one -> {
                    explanation.show(one);
                    explanation.say("the testkit: " + one.what());
                });
    }

    private static String element(HcaEvent.Raised raised) {
        return switch (raised.event().kind().source()) {
            case DEVICE -> "adapter " + raised.port();
            case PORT -> raised.port() + " port " + raised.event().element();
            case QUEUE_PAIR, COMPLETION_QUEUE, SHARED_RECEIVE_QUEUE -> raised.port() + "/" + raised.element();
        };
    }
}
