// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.Part;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.User;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.mutation.MutationPoint;

/**
 * The key of a window that shows a part of a region, on which it holds on.
 *
 * @param bind how it came to show it
 * @param parts the region alone
 */
record BoundWindow(int key, WindowTerms terms, KeyChange.Bind bind, List<Part> parts) implements TranslatedKey {
    BoundWindow(WindowTerms terms, KeyChange.Bind bind) {
        this(bind.newKey(), terms, bind, List.of(region(terms, bind)));
    }

    private static Part region(WindowTerms terms, KeyChange.Bind bind) {
        return Part.held(
                bind.region(), new Part.Hold(terms.domain(), bind.address(), bind.lengthBytes(), bind.rights()));
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parts) {
        return new WindowLease(grant, this, parts.getFirst(), origin);
    }

    // rule indirect-parts
    @Override
    public Optional<Denial> refusalAsPart() {
        return Optional.of(new Denial.NotAPart());
    }

    @Override
    public Step after(KeyChange change) {
        return switch (change) {
            case KeyChange.Bind again -> rebind(again);
            case KeyChange.Invalidate invalidate -> invalidate(invalidate);
            case KeyChange.Show show -> new Step.Refused(new Denial.UnfitForThat());
            case KeyChange.Reregister reregister -> new Step.Refused(new Denial.UnfitForThat());
        };
    }

    // rule window-rebind
    @MutationPoint("bound-window.rebind")
    private Step rebind(KeyChange.Bind again) {
        return terms.type() == WindowType.TYPE_1 ? terms.bind(key, again) : new Step.Refused(new Denial.StillBound());
    }

    // rule window-invalidate
    @MutationPoint("bound-window.invalidate")
    private Step invalidate(KeyChange.Invalidate wanted) {
        return terms.refusal(key, wanted)
                .or(() -> foreigner(wanted.by()))
                .<Step>map(Step.Refused::new)
                .orElseGet(() -> new Step.Becomes(new UnboundWindow(key, terms)));
    }

    // rule window-user
    /** Why it does not serve that user, whatever for. */
    @MutationPoint("bound-window.foreigner")
    Optional<Denial> foreigner(User user) {
        if (user.domain() != terms.domain()) {
            return Optional.of(new Denial.ForeignDomain(terms.domain(), user.domain()));
        }
        int tiedTo = bind.by().queuePair();
        return terms.type() == WindowType.TYPE_2 && user.queuePair() != tiedTo
                ? Optional.of(new Denial.OtherQueuePair(tiedTo, user.queuePair()))
                : Optional.empty();
    }

    // rules window-rights, window-atomics
    boolean allows(Access right) {
        return bind.rights().allows(right) && (right != Access.REMOTE_ATOMIC || terms.atomics());
    }

    @Override
    public Optional<HcaEvent.Sight> sight() {
        OptionalInt tiedTo =
                terms.type() == WindowType.TYPE_2 ? OptionalInt.of(bind.by().queuePair()) : OptionalInt.empty();
        return Optional.of(new HcaEvent.Sight(
                Optional.of(Element.key(bind.region())),
                terms.domain(),
                tiedTo,
                first(),
                bind.address(),
                bind.lengthBytes(),
                bind.rights()));
    }

    /** The first address that a peer names. */
    long first() {
        return bind.zeroBased() ? 0 : bind.address();
    }

    /** What lies at an address that a peer names, as the region has it. */
    @MutationPoint("bound-window.behind")
    long behind(long address) {
        return address - first() + bind.address();
    }
}
