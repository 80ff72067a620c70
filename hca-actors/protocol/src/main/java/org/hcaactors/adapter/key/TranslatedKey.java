// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/** Memory that a key maps at a time: its own, that of other keys, or none. Immutable. */
public interface TranslatedKey {
    /** Returns the key, variant included; requests for another variant are refused. */
    int key();

    /** Returns why no lease is granted; empty if leases are granted. */
    default Optional<Denial> denial() {
        return Optional.empty();
    }

    /**
     * Returns the parents whose memory the key maps, if it has none of its own. It holds all of them or none. Called for each
     * use.
     */
    default List<ParentKey> parents() {
        return List.of();
    }

    /** @param parents leases on {@link #parents}, in their order */
    Lease lease(long grant, Lease.Origin origin, List<Lease> parents);

    /** Returns why another key may not hold this one to map a part of it. */
    default Optional<Denial> holdDenial(ParentKey.Hold requested) {
        return Optional.of(new Denial.NotBindable());
    }

    /** Returns what the key maps, for the trace; empty if it maps nothing, or if its registration event already says so. */
    default Optional<HcaEvent.KeyMapping> mapping() {
        return Optional.empty();
    }

    /**
     * Returns the event that the key maps this from now on.
     *
     * @param before the key until now
     */
    default HcaEvent changeEvent(Stamp at, String port, int before) {
        return new HcaEvent.KeyChanged(at, port, Element.key(key()), Element.key(before), mapping());
    }

    /** Returns why no other key may map memory through this one (rule indirect-parts). */
    default Optional<Denial> partDenial() {
        return Optional.empty();
    }

    /** Returns the result of a change; this object stays the same. */
    default ChangeResult apply(KeyChange change) {
        return new ChangeResult.Refused(new Denial.UnsupportedChange());
    }

    /** Result of a change. */
    sealed interface ChangeResult {
        record Becomes(TranslatedKey next) implements ChangeResult {}

        /** The key stays as it is. */
        record Refused(Denial reason) implements ChangeResult {}
    }
}
