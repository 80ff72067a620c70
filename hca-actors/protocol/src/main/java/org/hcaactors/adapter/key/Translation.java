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
 * One key's translation and the leases on it, as a machine. What the key shows changes, and ends, only when every lease on it
 * has come back; meanwhile nobody is let in (rules memory-deregister, memory-change).
 *
 * @param <H> a holder
 */
public final class Translation<H> {
    /** What it wants done. It is called back from none of it. */
    public interface Effects<H> {
        void grant(H holder, Lease lease);

        void refuse(H holder, int key, Denial reason);

        void revoke(H holder, long grant);

        /**
         * What the key showed before, nobody uses any more.
         *
         * @param cause number of the event from which it follows; 0 where there is none
         */
        void became(long cause, int before, TranslatedKey told);

        /** It is taken away, and nobody uses it any more. */
        void gone(int key);

        /** @param depth how many keys may stand behind each other from that one on */
        void askPart(long parents, ParentKey part, int depth);
    }

    /** What is done when its turn comes. */
    private sealed interface Errand {
        record Change(KeyChange change, ChangeListener listener) implements Errand {}

        record End(ChangeListener listener) implements Errand {}
    }

    private final Lease.Origin origin;
    private final Effects<H> effects;
    private final GrantedLeases<H> grants = new GrantedLeases<>();
    private final ArrayDeque<Errand> errands = new ArrayDeque<>(1);
    private final ParentLeaseSets<H> parentSets;

    /** Asked for while leases are called back. */
    private List<LeaseRequest<H>> later = List.of();

    private final List<ChangeListener> ends = new ArrayList<>(1);
    private TranslatedKey shown;
    private @Nullable Move<H> move;
    private boolean recalling;
    private boolean ending;

    /**
     * A change that is being made.
     *
     * @param told whose news it is
     * @param parents what the next one will stand on
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

    /** Grants nothing any more. */
    public boolean isEnding() {
        return ending;
    }

    /** Leases that are out. */
    public int leases() {
        return grants.size();
    }

    /** The keys on which it has leases, each as often as it has. */
    public List<Integer> standsOn() {
        Stream<ParentLeases<H>> coming = move == null ? Stream.empty() : move.parents.stream();
        return Stream.concat(parentSets.all().stream(), coming)
                .flatMap(parents -> parents.keys().stream())
                .toList();
    }

    // --- who wants to use it ---

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

    /** A dead holder has given everything back, and asks for nothing. */
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

    // --- what it is to become ---

    public void change(KeyChange change, ChangeListener listener) {
        errands.add(new Errand.Change(change, listener));
        next();
    }

    /** The listener is told when nobody uses it any more; or, where something holds on to it, why it stays. */
    public void end(ChangeListener listener) {
        errands.add(new Errand.End(listener));
        next();
    }

    /** It can't be trusted: every lease is called back, and none is granted any more, whatever holds on to it. */
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

    /** Last in each step, and in no other place: however many wait, none begins inside another. */
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

    /** What holds on to its parts has them before anything changes. */
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

    // --- what it stands on ---

    /** It goes back at once where it is of no use any more. */
    public void partGranted(long number, Lease lease) {
        Optional<ParentLeases<H>> parents = parents(number);
        if (parents.isEmpty() || !parents.get().takes(lease)) {
            lease.release();
        } else if (parents.get().isReady()) {
            ready(parents.get());
        }
        next();
    }

    /** Who is let in while leases are called back would never be called back: whoever waits then hears what becomes of the key. */
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

    /** Whoever stands on it gives back first. */
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

    // --- what is done when leases are back ---

    private void settle() {
        parentSets.fallen(grants::isFree).forEach(this::fell);
        if (ending && grants.isEmpty()) {
            finish();
        } else if (recalling && grants.isEmpty()) {
            turn();
        }
    }

    /** Its leases go back; who waited asks again, and hears what is the case now. */
    private void fell(ParentLeases<H> parents) {
        parentSets.remove(parents);
        parents.giveBack();
        parents.takeWaiting().forEach(this::ask);
    }

    /** Nothing stands on anything any more. Returns who waits. */
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
        // A part that was called back meanwhile.
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
