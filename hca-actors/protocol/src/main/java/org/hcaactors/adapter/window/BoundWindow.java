// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.mutation.MutationPoint;

/**
 * Key of a bound memory window. While it exists, it holds the key of its region.
 *
 * @param bind the bind request
 * @param parents the key of the region, its only parent
 */
record BoundWindow(int key, WindowAttributes attributes, KeyChange.Bind bind, List<ParentKey> parents)
        implements TranslatedKey {
    BoundWindow(WindowAttributes attributes, KeyChange.Bind bind) {
        this(bind.newKey(), attributes, bind, List.of(region(attributes, bind)));
    }

    private static ParentKey region(WindowAttributes attributes, KeyChange.Bind bind) {
        return ParentKey.held(
                bind.region(),
                new ParentKey.Hold(attributes.domain(), bind.address(), bind.lengthBytes(), bind.rights()));
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new WindowLease(grant, this, parents.getFirst(), origin);
    }

    // rule indirect-parts
    @Override
    public Optional<Denial> partDenial() {
        return Optional.of(new Denial.NotAPart());
    }

    @Override
    public ChangeResult apply(KeyChange change) {
        return switch (change) {
            case KeyChange.Bind again -> rebind(again);
            case KeyChange.Invalidate invalidate -> invalidate(invalidate);
            case KeyChange.Show show -> new ChangeResult.Refused(new Denial.UnsupportedChange());
            case KeyChange.Reregister reregister -> new ChangeResult.Refused(new Denial.UnsupportedChange());
        };
    }

    // rule window-rebind
    @MutationPoint("bound-window.rebind")
    private ChangeResult rebind(KeyChange.Bind again) {
        return attributes.type() == WindowType.TYPE_1
                ? attributes.bind(key, again)
                : new ChangeResult.Refused(new Denial.StillBound());
    }

    // rule window-invalidate
    @MutationPoint("bound-window.invalidate")
    private ChangeResult invalidate(KeyChange.Invalidate requested) {
        return attributes
                .refusal(key, requested)
                .or(() -> foreigner(requested.by()))
                .<ChangeResult>map(ChangeResult.Refused::new)
                .orElseGet(() -> new ChangeResult.Becomes(new UnboundWindow(key, attributes)));
    }

    // rule window-user
    /** Returns why the window does not serve that user for any access. */
    @MutationPoint("bound-window.foreigner")
    Optional<Denial> foreigner(KeyUser user) {
        if (user.domain() != attributes.domain()) {
            return Optional.of(new Denial.ForeignDomain(attributes.domain(), user.domain()));
        }
        int tiedTo = bind.by().queuePair();
        return attributes.type() == WindowType.TYPE_2 && user.queuePair() != tiedTo
                ? Optional.of(new Denial.OtherQueuePair(tiedTo, user.queuePair()))
                : Optional.empty();
    }

    // rules window-rights, window-atomics
    boolean allows(Access right) {
        return bind.rights().allows(right) && (right != Access.REMOTE_ATOMIC || attributes.atomics());
    }

    @Override
    public Optional<HcaEvent.KeyMapping> mapping() {
        OptionalInt tiedTo = attributes.type() == WindowType.TYPE_2
                ? OptionalInt.of(bind.by().queuePair())
                : OptionalInt.empty();
        return Optional.of(new HcaEvent.KeyMapping(
                Optional.of(Element.key(bind.region())),
                attributes.domain(),
                tiedTo,
                first(),
                bind.address(),
                bind.lengthBytes(),
                bind.rights()));
    }

    /** Returns the first address under the key. */
    long first() {
        return bind.zeroBased() ? 0 : bind.address();
    }

    /** Returns the address in the region of an address under the key. */
    @MutationPoint("bound-window.behind")
    long underlyingAddress(long address) {
        return address - first() + bind.address();
    }
}
