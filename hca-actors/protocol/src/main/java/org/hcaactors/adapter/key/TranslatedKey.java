// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/** What a memory key shows for a time: memory of its own, that of other keys, or nothing. Immutable. */
public interface TranslatedKey {
    /** Variant included: who asks for another is refused. */
    int key();

    /** Why nobody is let in; empty where leases are granted. */
    default Optional<Denial> closed() {
        return Optional.empty();
    }

    /** The keys whose memory it shows, where it has none of its own. It holds on to all of them, or to none. Asked for at each use. */
    default List<ParentKey> parts() {
        return List.of();
    }

    /** @param parts leases on {@link #parts}, in their order */
    Lease lease(long grant, Lease.Origin origin, List<Lease> parts);

    /** Why another key may not hold on to this one to show a part of it. */
    default Optional<Denial> refusal(ParentKey.Hold requested) {
        return Optional.of(new Denial.NotBindable());
    }

    /** What it shows, for the trace; empty for nothing, and where the trace has it from what it was registered with. */
    default Optional<HcaEvent.KeyMapping> sight() {
        return Optional.empty();
    }

    /**
     * The news that this is what the key shows from now on.
     *
     * @param before the key until now
     */
    default HcaEvent news(Stamp at, String port, int before) {
        return new HcaEvent.KeyChanged(at, port, Element.key(key()), Element.key(before), sight());
    }

    /** Why no other key may show memory through this one at all (rule indirect-parts). */
    default Optional<Denial> refusalAsPart() {
        return Optional.empty();
    }

    /** What it shows after a change; this one does not change. */
    default Step after(KeyChange change) {
        return new Step.Refused(new Denial.UnsupportedChange());
    }

    /** What comes of a change. */
    sealed interface Step {
        record Becomes(TranslatedKey next) implements Step {}

        /** It stays as it is. */
        record Refused(Denial reason) implements Step {}
    }
}
