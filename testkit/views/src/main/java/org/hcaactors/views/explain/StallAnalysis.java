// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Finds requests of a trace that have not ended, and what they wait for. */
final class StallAnalysis {
    private record Place(String port, Element element) {}

    private record Named(String port, String element) {}

    /** State of a completion queue: its entries, and when it was last armed and reported. */
    private static final class Queue {
        int entries;
        Optional<HcaEvent.EntryWritten> newest = Optional.empty();
        Optional<HcaEvent.Armed> armed = Optional.empty();
        /** The last report to its channel or thread. */
        Optional<HcaEvent> woken = Optional.empty();

        Optional<HcaEvent.EntriesTaken> taken = Optional.empty();
        Optional<TestkitEvent> struck = Optional.empty();
    }

    private final Lineage lineage;
    private final Map<Long, HcaEvent.WorkPosted> open = new LinkedHashMap<>();
    /** The unsignaled ones of the open requests, by queue pair. */
    private final Map<Place, UnsignaledRequests> silent = new LinkedHashMap<>();

    private final BlockedThreads sleepers;
    private final Map<Place, Queue> queues = new LinkedHashMap<>();
    /** By adapter and name, as fault events name them. */
    private final Map<Named, Queue> named = new LinkedHashMap<>();

    private final Map<Place, QpState> states = new LinkedHashMap<>();
    private final Map<Place, Integer> timeouts = new LinkedHashMap<>();

    StallAnalysis(Lineage lineage) {
        this.lineage = lineage;
        sleepers = new BlockedThreads(lineage.events());
        lineage.events().forEach(this::note);
    }

    private void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.WorkPosted posted -> posted(posted);
            case HcaEvent.Completed done -> ended(done.stamp().otherCause());
            case HcaEvent.RequestDropped dropped -> ended(dropped.stamp().cause());
            case FabricEvent.Sent sent -> sent(sent);
            case FabricEvent.Delivered delivered -> arrived(delivered);
            case HcaEvent.StateChanged changed ->
                states.put(new Place(changed.port(), changed.element()), changed.to());
            case HcaEvent.Modified modified ->
                modified.change().attributes().stream()
                        .filter(QpAttribute.Timeout.class::isInstance)
                        .map(QpAttribute.Timeout.class::cast)
                        .forEach(timeout ->
                                timeouts.put(new Place(modified.port(), modified.element()), timeout.code()));
            case HcaEvent.EntryWritten written -> {
                queue(written).entries++;
                queue(written).newest = Optional.of(written);
            }
            case HcaEvent.EntriesTaken taken -> {
                queue(taken).entries -= taken.entries();
                queue(taken).taken = Optional.of(taken);
            }
            case HcaEvent.EntriesReturned back -> queue(back).entries += back.entries();
            case HcaEvent.Armed armed -> queue(armed).armed = Optional.of(armed);
            case HcaEvent.Woken woken -> queue(woken).woken = Optional.of(woken);
            case HcaEvent.NotifySent sent -> queue(sent).woken = Optional.of(sent);
            case TestkitEvent bench ->
                Optional.ofNullable(named.get(new Named(bench.port(), bench.element())))
                        .ifPresent(queue -> queue.struck = Optional.of(bench));
            default -> {}
        }
    }

    private Queue queue(HcaEvent event) {
        return queues.computeIfAbsent(new Place(event.port(), event.element()), place -> {
            Queue made = new Queue();
            named.put(new Named(place.port(), place.element().toString()), made);
            return made;
        });
    }

    /** A completion also ends the unsignaled requests that were posted before it on its queue. */
    private void ended(long posting) {
        HcaEvent.WorkPosted done = open.remove(posting);
        if (done != null) {
            silent(new Place(done.port(), done.element())).before(posting).forEach(open::remove);
        }
    }

    private void posted(HcaEvent.WorkPosted posted) {
        open.put(posted.stamp().id(), posted);
        if (!posted.signaled()) {
            silent(new Place(posted.port(), posted.element()))
                    .add(posted.stamp().id());
        }
    }

    private UnsignaledRequests silent(Place queuePair) {
        return silent.computeIfAbsent(queuePair, any -> new UnsignaledRequests());
    }

    private void sent(FabricEvent.Sent sent) {
        Packet packet = sent.packet();
        if (packet.operation().isResponse()) {
            return;
        }
        Optional<HcaEvent.WorkPosted> posting = lineage.posting(sent)
                .filter(posted -> open.containsKey(posted.stamp().id()));
        if (posting.isEmpty()) {
            return;
        }
        long id = posting.get().stamp().id();
        UnsignaledRequests own = silent(new Place(sent.port(), posting.get().element()));
        own.sent(id, packet.psn());
        if (!packet.opcode().transport().isAnswered()
                && isWhole(packet)
                && !posting.get().signaled()) {
            open.remove(id);
            own.remove(id);
        }
    }

    /** An acknowledgement ends unsignaled requests; no other event shows their end. */
    private void arrived(FabricEvent.Delivered delivered) {
        Packet packet = delivered.packet();
        boolean acknowledges = packet.operation().isResponse()
                && isWhole(packet)
                && (packet.operation() != Operation.ACKNOWLEDGE
                        || Syndrome.isAck(packet.aeth().syndrome()));
        if (acknowledges) {
            silent(new Place(delivered.port(), Element.queuePair(packet.bth().destQp())))
                    .acknowledged(packet.psn())
                    .forEach(open::remove);
        }
    }

    private static boolean isWhole(Packet packet) {
        Operation.Place place = packet.operation().place();
        return place == Operation.Place.ONLY || place == Operation.Place.LAST;
    }

    /** Returns requests that have not ended, oldest first. */
    List<HcaEvent.WorkPosted> open() {
        return List.copyOf(open.values());
    }

    List<Explanation> waiting() {
        List<Explanation> all = new ArrayList<>();
        open.values().stream()
                .filter(HcaEvent.WorkPosted::signaled)
                .limit(Explainer.MAX)
                .forEach(posted -> all.add(request(posted)));
        queues.forEach((name, queue) -> {
            if (queue.entries > 0 && all.size() < Explainer.MAX) {
                all.add(unfetched(name, queue));
            }
        });
        return all;
    }

    private Explanation request(HcaEvent.WorkPosted posted) {
        ExplanationBuilder explanation = new ExplanationBuilder(lineage).show(posted);
        String element = posted.port() + "/" + posted.element();
        Place place = new Place(posted.port(), posted.element());
        List<FabricEvent.Sent> sent = lineage.consequences(posted, FabricEvent.Sent.class);
        if (sent.isEmpty()) {
            QpState state = states.getOrDefault(place, QpState.RESET);
            explanation.say("it was never sent");
            Optional<HcaEvent.WorkPosted> before = open.values().stream()
                    .filter(other -> other.port().equals(posted.port())
                            && other.element().equals(posted.element()))
                    .findFirst()
                    .filter(other -> other != posted);
            before.ifPresent(other -> explanation.show(other).say("it is queued behind " + Narrator.request(other)));
            if (state != QpState.RTS) {
                explanation.say(element + " is in " + state + "; requests are sent in RTS");
            }
        } else if (sent.getFirst().packet().opcode().transport().isAnswered()) {
            attempts(posted, sent, explanation);
            if (timeouts.getOrDefault(place, 1) == 0) {
                explanation.say(
                        element + "'s local ACK timeout is 0: the requester waits for an answer without a limit");
            }
        }
        return explanation.of(new Explanation.Subject.Waiting(posted), Narrator.request(posted) + " has no completion");
    }

    private void attempts(HcaEvent.WorkPosted posted, List<FabricEvent.Sent> sent, ExplanationBuilder explanation) {
        boolean wasNotReady = lineage.events().stream()
                .anyMatch(event -> event instanceof HcaEvent.BackedOff wait
                        && wait.port().equals(posted.port())
                        && wait.element().equals(posted.element()));
        Packet first = sent.getFirst().packet();
        new TransmissionHistory(
                        lineage,
                        posted.port(),
                        posted.element(),
                        first.psn(),
                        lineage.events().getLast())
                .tell(
                        explanation,
                        wasNotReady
                                ? TransmissionHistory.ExhaustedRetry.NOT_READY
                                : TransmissionHistory.ExhaustedRetry.LOSS);
    }

    private Explanation unfetched(Place name, Queue queue) {
        ExplanationBuilder explanation = new ExplanationBuilder(lineage);
        String cq = name.port + "/" + name.element;
        queue.newest.ifPresent(explanation::show);
        queue.armed.ifPresent(explanation::show);
        queue.woken.ifPresent(explanation::show);
        queue.taken.ifPresent(explanation::show);
        long written = queue.newest.map(event -> event.stamp().id()).orElse(0L);
        long armed = queue.armed.map(event -> event.stamp().id()).orElse(0L);
        long woken = queue.woken.map(event -> event.stamp().id()).orElse(0L);
        if (queue.armed.isEmpty()) {
            explanation.say(cq + " was never armed, and no thread polls it");
        } else if (armed > written) {
            explanation.say("no thread polled it after the last entry was written");
            queue.newest.ifPresent(
                    entry -> explanation.say("the entry of qp" + entry.qp() + "'s request " + entry.workId()
                            + " was written at " + at(entry) + " us, before " + cq
                            + " was armed, and an armed queue reports only entries"
                            + " written later"));
            queue.armed.ifPresent(arming -> explanation.say(cq + " was armed at " + at(arming)
                    + " us, after its program had polled for the last time: it must poll once more after it arms"));
            sleepers.tellAsleep(name.port, name.element, explanation);
        } else if (woken > armed && sleepers.isNamedBy(name.port, name.element)) {
            sleepers.tell(name.port, name.element, explanation);
        } else if (woken > armed) {
            notArmedAgain(cq, queue, woken, explanation);
        } else {
            explanation.say(
                    cq + " is armed for " + queue.armed.get().what() + ", and no entry written since was of that kind");
        }
        queue.struck.ifPresent(bench -> explanation.show(bench).say("the testkit: " + bench.what()));
        return explanation.of(
                new Explanation.Subject.Unfetched(name.port, name.element),
                cq + " holds " + queue.entries
                        + (queue.entries == 1 ? " unpolled completion" : " unpolled completions"));
    }

    // rule completion-arm-once
    /** A wake-up disarms the queue. */
    private static void notArmedAgain(String cq, Queue queue, long woken, ExplanationBuilder explanation) {
        String wokeAt = cq + " woke its channel at "
                + queue.woken.map(StallAnalysis::at).orElse("") + " us, and ";
        Optional<HcaEvent.EntriesTaken> polled =
                queue.taken.filter(taken -> taken.stamp().id() > woken);
        if (polled.isEmpty()) {
            explanation.say(wokeAt + "no thread has polled it since");
        } else {
            explanation.say(wokeAt + "was not armed again: an armed queue reports one event");
            explanation.say(
                    "its program took entries at " + at(polled.get()) + " us for the last time: it must arm after each"
                            + " event, and then poll until the queue is empty");
        }
    }

    private static String at(TraceEvent event) {
        return Wording.micros(event.stamp().nanos());
    }
}
