// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * State machine of one key's translation and the leases on it. The translation changes, and ends, only when every lease has
 * been released; until then no lease is granted (rules memory-deregister, memory-change).
 *
 * @param <H> holder of a lease
 */
public final class Translation<H> {
    /** Effects requested by the machine. None of them calls back. */
    public interface Effects<H> {
        void grant(H holder, Lease lease);

        void refuse(H holder, int key, Denial reason);

        void revoke(H holder, long grant);

        /**
         * The key has changed, and its previous state is no longer in use.
         *
         * @param cause the event that caused it; 0 if none
         */
        void became(long cause, int before, TranslatedKey traced);

        /** The key is deregistered and no longer in use. */
        void deregistered(int key);

        /** @param depth how many keys may be nested, counted from that parent on */
        void requestParent(long parents, ParentKey part, int depth);
    }

    /** A queued operation. */
    private sealed interface Operation {
        record Change(KeyChange change, ChangeListener listener) implements Operation {}

        record End(ChangeListener listener) implements Operation {}
    }

    private final Lease.Origin origin;
    private final Effects<H> effects;
    private final GrantedLeases<H> grants = new GrantedLeases<>();
    private final ArrayDeque<Operation> operations = new ArrayDeque<>(1);
    private final ParentLeaseSets<H> parentSets;

    /** Requests made while leases are being revoked. */
    private List<LeaseRequest<H>> later = List.of();

    private final List<ChangeListener> ends = new ArrayList<>(1);
    private TranslatedKey shown;
    private @Nullable Move<H> move;
    private boolean revoking;
    private boolean ending;

    /**
     * A change under way.
     *
     * @param traced the key that the trace reports
     * @param parents parent leases of the next state
     */
    private record Move<H>(
            TranslatedKey next, TranslatedKey traced, Optional<ParentLeases<H>> parents, ChangeListener listener) {}

    public Translation(TranslatedKey first, Lease.Origin origin, Effects<H> effects) {
        this.shown = first;
        this.origin = origin;
        this.effects = effects;
        parentSets = new ParentLeaseSets<>(effects);
    }

    public int key() {
        return shown.key();
    }

    /** True if no lease is granted any more. */
    public boolean isEnding() {
        return ending;
    }

    /** Number of granted leases. */
    public int leases() {
        return grants.size();
    }

    /** Returns the keys that it has leases on, each as often as it has one. */
    public List<Integer> leasedKeys() {
        Stream<ParentLeases<H>> coming = move == null ? Stream.empty() : move.parents.stream();
        return Stream.concat(parentSets.all().stream(), coming)
                .flatMap(parents -> parents.keys().stream())
                .toList();
    }

    // --- lease requests ---

    public void request(LeaseRequest<H> request) {
        if (ending) {
            refuse(request, new Denial.Unregistered());
        } else if (revoking) {
            later = later.isEmpty() ? new ArrayList<>() : later;
            later.add(request);
        } else {
            admit(request);
        }
    }

    private void admit(LeaseRequest<H> request) {
        Optional<Denial> reason = refusal(request);
        if (reason.isPresent()) {
            refuse(request, reason.get());
        } else if (shown.parents().isEmpty()) {
            grant(request, GrantedLeases.NO_PARENTS, List.of());
        } else {
            grantOn(parentSets.of(shown, request.depth()), request);
        }
    }

    // rules memory-key-layout, memory-depth, indirect-parts
    private Optional<Denial> refusal(LeaseRequest<H> request) {
        if (request.key() != shown.key()) {
            return Optional.of(new Denial.Unregistered());
        }
        if (shown.denial().isPresent()) {
            return shown.denial();
        }
        if (request.asPart() && shown.partDenial().isPresent()) {
            return shown.partDenial();
        }
        if (request.hold().isPresent()) {
            return shown.holdDenial(request.hold().get());
        }
        return parentSets.refusal(shown, request.depth());
    }

    private void grantOn(ParentLeases<H> parents, LeaseRequest<H> request) {
        if (parents.isReady()) {
            grant(request, parents.number(), parents.leases());
        } else {
            parents.await(request);
        }
    }

    private void grant(LeaseRequest<H> request, long parents, List<Lease> parentLeases) {
        long grant = grants.add(
                shown.key(), request.holder(), parents, request.hold().isPresent());
        effects.grant(request.holder(), shown.lease(grant, origin, parentLeases));
    }

    private void refuse(LeaseRequest<H> request, Denial reason) {
        effects.refuse(request.holder(), request.key(), reason);
    }

    public void released(long grant) {
        grants.remove(grant);
        settle();
        next();
    }

    /** Forgets a holder that ended, with its leases and requests. */
    @MutationPoint("translation.died")
    public void died(H holder) {
        grants.died(holder);
        if (!later.isEmpty()) {
            later.removeIf(request -> request.holder().equals(holder));
        }
        parentSets.died(holder);
        settle();
        next();
    }

    // --- changes ---

    public void change(KeyChange change, ChangeListener listener) {
        operations.add(new Operation.Change(change, listener));
        next();
    }

    /** Ends the key. The listener is called when it is no longer in use; or, if a key holds it, with the reason why it stays. */
    public void end(ChangeListener listener) {
        operations.add(new Operation.End(listener));
        next();
    }

    /** Ends a key whose translation can't be trusted: revokes every lease and grants none any more, even if a key holds it. */
    @MutationPoint("translation.lost")
    public void lost() {
        ending = true;
        if (move != null) {
            Move<H> given = move;
            move = null;
            given.parents.ifPresent(ParentLeases::release);
            given.listener.changed(Optional.of(new Denial.Unregistered()));
        }
        revokeAll();
        settle();
        next();
    }

    /** Starts the next operation. Called last in each step and nowhere else, so that operations never nest, however many wait. */
    private void next() {
        while (move == null && !operations.isEmpty()) {
            switch (operations.remove()) {
                case Operation.Change change -> begin(change);
                case Operation.End end -> begin(end);
            }
        }
    }

    // rule memory-held
    private void begin(Operation.End end) {
        if (!ending && grants.holds() > 0) {
            end.listener.changed(Optional.of(new Denial.InUse(grants.holds())));
            return;
        }
        ends.add(end.listener);
        if (!ending) {
            ending = true;
            revokeAll();
        }
        settle();
    }

    // rule memory-held
    private void begin(Operation.Change change) {
        if (ending || grants.holds() > 0) {
            Denial reason = ending ? new Denial.Unregistered() : new Denial.InUse(grants.holds());
            change.listener.changed(Optional.of(reason));
            return;
        }
        switch (shown.apply(change.change)) {
            case TranslatedKey.ChangeResult.Refused refused -> change.listener.changed(Optional.of(refused.reason()));
            case TranslatedKey.ChangeResult.Becomes becomes -> begin(change, becomes.next());
        }
    }

    /** A key that holds its parents has leases on them before anything changes. */
    private void begin(Operation.Change change, TranslatedKey next) {
        Optional<ParentLeases<H>> held = parentSets.heldBy(next);
        move = new Move<>(next, change.change.traced(next), held, change.listener);
        held.ifPresentOrElse(ParentLeases::requestAll, this::revokeForChange);
    }

    private void revokeForChange() {
        revoking = true;
        revokeAll();
        settle();
    }

    private void revokeAll() {
        grants.all().forEach((grant, holder) -> effects.revoke(holder, grant));
    }

    // --- parent leases ---

    /** Takes a parent's lease, or releases it at once if it is no longer needed. */
    public void partGranted(long number, Lease lease) {
        Optional<ParentLeases<H>> parents = parents(number);
        if (parents.isEmpty() || !parents.get().takes(lease)) {
            lease.release();
        } else if (parents.get().isReady()) {
            ready(parents.get());
        }
        next();
    }

    /**
     * Grants nothing while leases are being revoked, since such a lease would not be revoked; waiting requests are answered
     * after the change.
     */
    private void ready(ParentLeases<H> parents) {
        if (isOfChange(parents)) {
            revokeForChange();
        } else if (!revoking && !ending) {
            parents.takeWaiting().forEach(request -> grant(request, parents.number(), parents.leases()));
        }
    }

    public void partRefused(long number, int key, Denial reason) {
        parents(number).ifPresent(parents -> fails(parents, new Denial.OfPart(key, reason)));
        next();
    }

    private void fails(ParentLeases<H> parents, Denial reason) {
        parents.release();
        if (isOfChange(parents) && move != null) {
            ChangeListener listener = move.listener;
            move = null;
            listener.changed(Optional.of(reason));
        } else {
            parentSets.remove(parents);
            parents.takeWaiting().forEach(request -> refuse(request, reason));
        }
    }

    /** Revokes first the leases that depend on the parent's. */
    public void partRevoked(long number, long grant) {
        parents(number).filter(each -> each.has(grant)).ifPresent(this::parentRevoked);
        next();
    }

    private void parentRevoked(ParentLeases<H> parents) {
        if (isOfChange(parents) && !revoking) {
            fails(parents, new Denial.Unregistered());
            return;
        }
        parents.retire();
        grants.on(parents.number()).forEach((out, holder) -> effects.revoke(holder, out));
        settle();
    }

    private Optional<ParentLeases<H>> parents(long number) {
        Optional<ParentLeases<H>> coming =
                move == null ? Optional.empty() : move.parents.filter(it -> it.number() == number);
        return coming.isPresent() ? coming : parentSets.find(number);
    }

    private boolean isOfChange(ParentLeases<H> parents) {
        return move != null && move.parents.filter(it -> it == parents).isPresent();
    }

    // --- after releases ---

    private void settle() {
        parentSets.releasable(grants::isFree).forEach(this::releaseRetired);
        if (ending && grants.isEmpty()) {
            finish();
        } else if (revoking && grants.isEmpty()) {
            applyChange();
        }
    }

    /** Releases these parent leases; requests that wait for them are made again, and answered by the present state. */
    private void releaseRetired(ParentLeases<H> parents) {
        parentSets.remove(parents);
        parents.release();
        parents.takeWaiting().forEach(this::request);
    }

    /** Releases all parent leases. Returns the waiting requests. */
    private List<LeaseRequest<H>> releaseParents() {
        List<LeaseRequest<H>> waiting = new ArrayList<>(later);
        later = List.of();
        parentSets.all().forEach(parents -> {
            parentSets.remove(parents);
            parents.release();
            waiting.addAll(parents.takeWaiting());
        });
        return waiting;
    }

    private void applyChange() {
        Move<H> made = move;
        if (made == null) {
            return;
        }
        move = null;
        revoking = false;
        List<LeaseRequest<H>> waiting = releaseParents();
        int before = shown.key();
        shown = made.next;
        effects.became(made.listener.cause(), before, made.traced);
        made.parents.ifPresent(parentSets::keep);
        made.listener.changed(Optional.empty());
        waiting.forEach(this::admit);
        // A parent may have been revoked meanwhile.
        made.parents.filter(ParentLeases::isRetired).ifPresent(fallen -> settle());
    }

    private void finish() {
        revoking = false;
        List<LeaseRequest<H>> waiting = releaseParents();
        waiting.forEach(request -> refuse(request, new Denial.Unregistered()));
        List<ChangeListener> listeners = List.copyOf(ends);
        ends.clear();
        if (!listeners.isEmpty()) {
            effects.deregistered(shown.key());
        }
        listeners.forEach(each -> each.changed(Optional.empty()));
    }
}
