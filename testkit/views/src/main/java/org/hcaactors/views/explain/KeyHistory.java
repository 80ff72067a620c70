// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import java.util.function.Predicate;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Explains why a key refuses an access that it allowed before: it was invalidated, deregistered, rekeyed or reregistered. */
final class KeyHistory {
    private final ExplanationBuilder explanation;

    KeyHistory(ExplanationBuilder explanation) {
        this.explanation = explanation;
    }

    /**
     * Returns {@code , since 3.039 us, by request 3 of a/qp17 (...)}, or the history of a queue that was named; empty if the
     * trace knows neither.
     */
    String words(HcaEvent refusal, Reason reason) {
        return denied(reason)
                .flatMap(denied -> lastChange(refusal, denied.key(), denied.reason()))
                .map(this::words)
                .orElseGet(() -> new SrqHistory(explanation).words(refusal, reason));
    }

    private static Optional<KeyDenied> denied(Reason reason) {
        return switch (reason) {
            case KeyDenied denied -> Optional.of(denied);
            case RequestRefused.Invalidation invalidation -> Optional.of(invalidation.reason());
            case RequestRefused.ReceiveMemory memory -> Optional.of(memory.reason());
            default -> Optional.empty();
        };
    }

    private String words(AdapterEvent change) {
        explanation.show(change);
        String how = switch (change) {
            case HcaEvent.Reregistered reregistered -> ", when it was reregistered";
            case HcaEvent.KeyChanged changed
            when changed.shows().isPresent() -> ", when it became " + changed.element();
            case HcaEvent.PagesInvalidated invalidated -> ", when its memory was unmapped";
            case TestkitEvent bench -> ", when the testkit injected: " + bench.what();
            case HcaEvent.BecameUndefined failed -> noPages(failed);
            default -> "";
        };
        String by = explanation
                .lineage()
                .posting(change)
                .map(posted -> ", by " + Narrator.request(posted))
                .orElse("");
        String when = change instanceof HcaEvent.BecameUndefined ? "at" : "since";
        return ", %s %s us%s%s".formatted(when, Wording.micros(change.stamp().nanos()), how, by);
    }

    // rule pages-refused
    /** Returns {@code , when the host had no pages: ENOMEM for app: ...}; empty if it failed for another reason. */
    private String noPages(HcaEvent.BecameUndefined failed) {
        return explanation
                .lastBefore(
                        failed,
                        HcaEvent.PageAllocationFailed.class,
                        refused -> refused.port().equals(failed.port())
                                && refused.stamp().nanos() == failed.stamp().nanos())
                .map(refused -> {
                    explanation.show(refused);
                    return ", when the host had no pages: "
                            + Wording.of(refused).orElse("") + pieces(refused);
                })
                .orElse("");
    }

    /** Adds the fault that fragmented the host's memory, if there was one. */
    private String pieces(HcaEvent.PageAllocationFailed refused) {
        return explanation
                .lastBefore(
                        refused,
                        TestkitEvent.class,
                        bench -> bench.port().equals(refused.port())
                                && bench.what().startsWith("fragment "))
                .map(bench -> {
                    explanation.show(bench);
                    return "; the testkit had injected: " + bench.what();
                })
                .orElse("");
    }

    private Optional<? extends AdapterEvent> lastChange(HcaEvent refusal, int number, Denial reason) {
        Element key = Element.key(number);
        return switch (reason) {
            case Denial.OfPart part -> lastChange(refusal, part.key(), part.reason());
            case Denial.NotBound nothing ->
                newest(
                        refusal,
                        HcaEvent.KeyChanged.class,
                        change -> change.element().equals(key) && change.shows().isEmpty());
            case Denial.Undefined undefined ->
                newest(
                        refusal,
                        HcaEvent.BecameUndefined.class,
                        failed -> failed.element().equals(key));
            case Denial.Unregistered unknown -> newest(refusal, AdapterEvent.class, event -> ends(event, key));
            case Denial.MissingRight missing ->
                changed(refusal, key, was -> was.rights().allows(missing.right()));
            case Denial.ForeignDomain foreign -> changed(refusal, key, was -> was.domain() == foreign.needed());
            case Denial.NotMapped hole ->
                newest(refusal, HcaEvent.PagesInvalidated.class, invalidated -> unmaps(invalidated, hole.address()));
            case Denial.NotHuge hole ->
                newest(refusal, HcaEvent.PagesInvalidated.class, invalidated -> unmaps(invalidated, hole.address()));
            case Denial.OutOfRange range -> changed(refusal, key, was -> was.covers(range));
            default -> Optional.empty();
        };
    }

    private <E extends AdapterEvent> Optional<E> newest(HcaEvent refusal, Class<E> kind, Predicate<E> condition) {
        return explanation.lastBefore(
                refusal, kind, event -> event.port().equals(refusal.port()) && condition.test(event));
    }

    /** True if the key does not exist after the event. */
    private static boolean ends(AdapterEvent event, Element key) {
        return switch (event) {
            case HcaEvent.KeyDeregistered deregistered -> deregistered.element().equals(key);
            case HcaEvent.KeyChanged change ->
                change.before().equals(key) && !change.element().equals(key);
            case TestkitEvent bench -> bench.element().equals(key.toString());
            default -> false;
        };
    }

    private static boolean unmaps(HcaEvent.PagesInvalidated invalidated, long address) {
        long offset = address - invalidated.address();
        return invalidated.reason() != HcaEvent.Departure.EVICTED && offset >= 0 && offset < invalidated.lengthBytes();
    }

    /** Returns the last reregistration, if the region allowed the access before. */
    private Optional<HcaEvent.Reregistered> changed(HcaEvent refusal, Element key, Predicate<RegionVersion> served) {
        return newest(
                        refusal,
                        HcaEvent.Reregistered.class,
                        change -> change.element().equals(key))
                .filter(change -> newest(
                                change,
                                HcaEvent.class,
                                event -> RegionVersion.of(event, key).isPresent())
                        .flatMap(event -> RegionVersion.of(event, key))
                        .filter(served)
                        .isPresent());
    }
}
