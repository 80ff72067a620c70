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
        void became(long cause, int before, TranslatedKey told);

        /** The key is deregistered and no longer in use. */
        void gone(int key);

        /** @param depth how many keys may be nested, counted from that parent on */
        void askPart(long parents, ParentKey part, int depth);
    }

    /** A queued operation. */
    private sealed interface Errand {
        record Change(KeyChange change, ChangeListener listener) implements Errand {}

        record End(ChangeListener listener) implements Errand {}
    }

    private final Lease.Origin origin;
    private final Effects<H> effects;
    private final GrantedLeases<H> grants = new GrantedLeases<>();
    private final ArrayDeque<Errand> errands = new ArrayDeque<>(1);
    private final ParentLeaseSets<H> parentSets;

    /** Requests made while leases are being revoked. */
    private List<LeaseRequest<H>> later = List.of();

    private final List<ChangeListener> ends = new ArrayList<>(1);
    private TranslatedKey shown;
    private @Nullable Move<H> move;
    private boolean recalling;
    private boolean ending;

    /**
     * A change under way.
     *
     * @param told the key that the trace reports
     * @param parents parent leases of the next state
     */
    private record Move<H>(
            TranslatedKey next, TranslatedKey told, Optional<ParentLeases<H>> parents, ChangeListener listener) {}

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
    public List<Integer> standsOn() {
        Stream<ParentLeases<H>> coming = move == null ? Stream.empty() : move.parents.stream();
        return Stream.concat(parentSets.all().stream(), coming)
                .flatMap(parents -> parents.keys().stream())
                .toList();
    }

    // --- lease requests ---

    public void ask(LeaseRequest<H> asked) {
        if (ending) {
            refuse(asked, new Denial.Unregistered());
        } else if (recalling) {
            later = later.isEmpty() ? new ArrayList<>() : later;
            later.add(asked);
        } else {
            admit(asked);
        }
    }

    private void admit(LeaseRequest<H> asked) {
        Optional<Denial> reason = refusal(asked);
        if (reason.isPresent()) {
            refuse(asked, reason.get());
        } else if (shown.parts().isEmpty()) {
            grant(asked, GrantedLeases.NO_PARENTS, List.of());
        } else {
            standOn(parentSets.of(shown, asked.depth()), asked);
        }
    }

    // rules memory-key-layout, memory-depth, indirect-parts
    private Optional<Denial> refusal(LeaseRequest<H> asked) {
        if (asked.key() != shown.key()) {
            return Optional.of(new Denial.Unregistered());
        }
        if (shown.closed().isPresent()) {
            return shown.closed();
        }
        if (asked.asPart() && shown.refusalAsPart().isPresent()) {
            return shown.refusalAsPart();
        }
        if (asked.hold().isPresent()) {
            return shown.refusal(asked.hold().get());
        }
        return parentSets.refusal(shown, asked.depth());
    }

    private void standOn(ParentLeases<H> parents, LeaseRequest<H> asked) {
        if (parents.isReady()) {
            grant(asked, parents.number(), parents.leases());
        } else {
            parents.await(asked);
        }
    }

    private void grant(LeaseRequest<H> asked, long parents, List<Lease> parts) {
        long grant =
                grants.add(shown.key(), asked.holder(), parents, asked.hold().isPresent());
        effects.grant(asked.holder(), shown.lease(grant, origin, parts));
    }

    private void refuse(LeaseRequest<H> asked, Denial reason) {
        effects.refuse(asked.holder(), asked.key(), reason);
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
            later.removeIf(asked -> asked.holder().equals(holder));
        }
        parentSets.died(holder);
        settle();
        next();
    }

    // --- changes ---

    public void change(KeyChange change, ChangeListener listener) {
        errands.add(new Errand.Change(change, listener));
        next();
    }

    /** Ends the key. The listener is called when it is no longer in use; or, if a key holds it, with the reason why it stays. */
    public void end(ChangeListener listener) {
        errands.add(new Errand.End(listener));
        next();
    }

    /** Ends a key whose translation can't be trusted: revokes every lease and grants none any more, even if a key holds it. */
    @MutationPoint("translation.lost")
    public void lost() {
        ending = true;
        if (move != null) {
            Move<H> given = move;
            move = null;
            given.parents.ifPresent(ParentLeases::giveBack);
            given.listener.changed(Optional.of(new Denial.Unregistered()));
        }
        recallAll();
        settle();
        next();
    }

    /** Starts the next operation. Called last in each step and nowhere else, so that operations never nest, however many wait. */
    private void next() {
        while (move == null && !errands.isEmpty()) {
            switch (errands.remove()) {
                case Errand.Change change -> begin(change);
                case Errand.End end -> begin(end);
            }
        }
    }

    // rule memory-held
    private void begin(Errand.End end) {
        if (!ending && grants.holds() > 0) {
            end.listener.changed(Optional.of(new Denial.InUse(grants.holds())));
            return;
        }
        ends.add(end.listener);
        if (!ending) {
            ending = true;
            recallAll();
        }
        settle();
    }

    // rule memory-held
    private void begin(Errand.Change change) {
        if (ending || grants.holds() > 0) {
            Denial reason = ending ? new Denial.Unregistered() : new Denial.InUse(grants.holds());
            change.listener.changed(Optional.of(reason));
            return;
        }
        switch (shown.after(change.change)) {
            case TranslatedKey.Step.Refused refused -> change.listener.changed(Optional.of(refused.reason()));
            case TranslatedKey.Step.Becomes becomes -> begin(change, becomes.next());
        }
    }

    /** A key that holds its parents has leases on them before anything changes. */
    private void begin(Errand.Change change, TranslatedKey next) {
        Optional<ParentLeases<H>> held = parentSets.heldBy(next);
        move = new Move<>(next, change.change.told(next), held, change.listener);
        held.ifPresentOrElse(ParentLeases::askForAll, this::recall);
    }

    private void recall() {
        recalling = true;
        recallAll();
        settle();
    }

    private void recallAll() {
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
        if (isComing(parents)) {
            recall();
        } else if (!recalling && !ending) {
            parents.takeWaiting().forEach(asked -> grant(asked, parents.number(), parents.leases()));
        }
    }

    public void partRefused(long number, int key, Denial reason) {
        parents(number).ifPresent(parents -> fails(parents, new Denial.OfPart(key, reason)));
        next();
    }

    private void fails(ParentLeases<H> parents, Denial reason) {
        parents.giveBack();
        if (isComing(parents) && move != null) {
            ChangeListener listener = move.listener;
            move = null;
            listener.changed(Optional.of(reason));
        } else {
            parentSets.remove(parents);
            parents.takeWaiting().forEach(asked -> refuse(asked, reason));
        }
    }

    /** Revokes first the leases that depend on the parent's. */
    public void partRevoked(long number, long grant) {
        parents(number).filter(each -> each.has(grant)).ifPresent(this::calledBack);
        next();
    }

    private void calledBack(ParentLeases<H> parents) {
        if (isComing(parents) && !recalling) {
            fails(parents, new Denial.Unregistered());
            return;
        }
        parents.fall();
        grants.on(parents.number()).forEach((out, holder) -> effects.revoke(holder, out));
        settle();
    }

    private Optional<ParentLeases<H>> parents(long number) {
        Optional<ParentLeases<H>> coming =
                move == null ? Optional.empty() : move.parents.filter(it -> it.number() == number);
        return coming.isPresent() ? coming : parentSets.find(number);
    }

    private boolean isComing(ParentLeases<H> parents) {
        return move != null && move.parents.filter(it -> it == parents).isPresent();
    }

    // --- after releases ---

    private void settle() {
        parentSets.fallen(grants::isFree).forEach(this::fell);
        if (ending && grants.isEmpty()) {
            finish();
        } else if (recalling && grants.isEmpty()) {
            turn();
        }
    }

    /** Releases these parent leases; requests that wait for them are made again, and answered by the present state. */
    private void fell(ParentLeases<H> parents) {
        parentSets.remove(parents);
        parents.giveBack();
        parents.takeWaiting().forEach(this::ask);
    }

    /** Releases all parent leases. Returns the waiting requests. */
    private List<LeaseRequest<H>> leaveGround() {
        List<LeaseRequest<H>> waiting = new ArrayList<>(later);
        later = List.of();
        parentSets.all().forEach(parents -> {
            parentSets.remove(parents);
            parents.giveBack();
            waiting.addAll(parents.takeWaiting());
        });
        return waiting;
    }

    private void turn() {
        Move<H> made = move;
        if (made == null) {
            return;
        }
        move = null;
        recalling = false;
        List<LeaseRequest<H>> waiting = leaveGround();
        int before = shown.key();
        shown = made.next;
        effects.became(made.listener.cause(), before, made.told);
        made.parents.ifPresent(parentSets::keep);
        made.listener.changed(Optional.empty());
        waiting.forEach(this::admit);
        // A parent may have been revoked meanwhile.
        made.parents.filter(ParentLeases::isFalling).ifPresent(fallen -> settle());
    }

    private void finish() {
        recalling = false;
        List<LeaseRequest<H>> waiting = leaveGround();
        waiting.forEach(asked -> refuse(asked, new Denial.Unregistered()));
        List<ChangeListener> told = List.copyOf(ends);
        ends.clear();
        if (!told.isEmpty()) {
            effects.gone(shown.key());
        }
        told.forEach(each -> each.changed(Optional.empty()));
    }
}
