// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * An indirect key, which maps memory of other keys once it was filled.
 *
 * @param domain number of its protection domain
 * @param maxEntries maximum number of entries that it can be filled with
 * @param remotelyInvalidable whether a peer's message may invalidate it
 * @param filling empty if it maps nothing
 */
public record FilledIndirectKey(
        int key, int domain, int maxEntries, boolean remotelyInvalidable, Optional<Filling> filling)
        implements TranslatedKey {
    /**
     * Layout and rights of a filled indirect key.
     *
     * @param parts each key in the layout, in the order of {@code shown}
     */
    record Filling(AccessFlags rights, KeyLayout layout, LayoutTranslation shown, List<ParentKey> parts) {
        static Filling of(AccessFlags rights, KeyLayout layout) {
            LayoutTranslation shown = new LayoutTranslation(layout);
            return new Filling(
                    rights,
                    layout,
                    shown,
                    shown.keys().stream().map(ParentKey::of).toList());
        }

        // The translation is derived from the layout.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Filling same && rights.equals(same.rights) && layout.equals(same.layout);
        }

        @Override
        public int hashCode() {
            return 31 * rights.hashCode() + layout.hashCode();
        }
    }

    /** Creates an empty key (rule indirect-empty). */
    public static FilledIndirectKey empty(int key, int domain, int maxEntries, boolean remotelyInvalidable) {
        return new FilledIndirectKey(key, domain, maxEntries, remotelyInvalidable, Optional.empty());
    }

    // rule indirect-empty
    @Override
    public Optional<Denial> denial() {
        return filling.isPresent() ? Optional.empty() : Optional.of(new Denial.NotBound());
    }

    /** If any of them is deregistered, this key maps none of them any more (rule indirect-parts-gone). */
    @Override
    public List<ParentKey> parents() {
        return filling.map(Filling::parts).orElse(List.of());
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new IndirectLease(grant, this, filling.orElseThrow(), parents, origin);
    }

    @Override
    public HcaEvent changeEvent(Stamp at, String port, int before) {
        return filling.<HcaEvent>map(
                        full -> new HcaEvent.KeyFilled(at, port, Element.key(key), full.layout(), full.rights()))
                .orElseGet(() -> TranslatedKey.super.changeEvent(at, port, before));
    }

    @Override
    public ChangeResult apply(KeyChange change) {
        return switch (change) {
            case KeyChange.Show fill -> filled(fill);
            case KeyChange.Invalidate invalidate -> invalidated(invalidate);
            case KeyChange.Bind bind -> new ChangeResult.Refused(new Denial.UnsupportedChange());
            case KeyChange.Reregister reregister -> new ChangeResult.Refused(new Denial.UnsupportedChange());
        };
    }

    // rule indirect-fill
    private ChangeResult filled(KeyChange.Show fill) {
        Optional<Denial> stranger = refusal(fill.key(), fill.by());
        if (stranger.isPresent()) {
            return new ChangeResult.Refused(stranger.get());
        }
        int entries = fill.layout().entries();
        if (entries > maxEntries) {
            return new ChangeResult.Refused(new Denial.TooManyEntries(entries, maxEntries));
        }
        return new ChangeResult.Becomes(with(Optional.of(Filling.of(fill.rights(), fill.layout()))));
    }

    // rule indirect-invalidate
    private ChangeResult invalidated(KeyChange.Invalidate invalidate) {
        Optional<Denial> stranger = refusal(invalidate.key(), invalidate.by());
        if (stranger.isPresent()) {
            return new ChangeResult.Refused(stranger.get());
        }
        return invalidate.remote() && !remotelyInvalidable
                ? new ChangeResult.Refused(new Denial.NotRemotelyInvalidatable())
                : new ChangeResult.Becomes(with(Optional.empty()));
    }

    private Optional<Denial> refusal(int named, KeyUser by) {
        if (named != key) {
            return Optional.of(new Denial.Unregistered());
        }
        return by.domain() == domain ? Optional.empty() : Optional.of(new Denial.ForeignDomain(domain, by.domain()));
    }

    private FilledIndirectKey with(Optional<Filling> other) {
        return new FilledIndirectKey(key, domain, maxEntries, remotelyInvalidable, other);
    }
}
