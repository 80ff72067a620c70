// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;

/** The key of an unbound window: it was never bound, was bound to zero bytes, or was invalidated. */
public record UnboundWindow(int key, WindowAttributes attributes) implements TranslatedKey {
    @Override
    public Optional<Denial> denial() {
        return Optional.of(new Denial.NotBound());
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        throw new IllegalStateException("an unbound window allows no access");
    }

    // rule window-invalidate
    @Override
    public ChangeResult apply(KeyChange change) {
        return switch (change) {
            case KeyChange.Bind bind -> attributes.bind(key, bind);
            case KeyChange.Invalidate invalidate ->
                new ChangeResult.Refused(attributes.refusal(key, invalidate).orElse(new Denial.NotBound()));
            case KeyChange.Show show -> new ChangeResult.Refused(new Denial.UnsupportedChange());
            case KeyChange.Reregister reregister -> new ChangeResult.Refused(new Denial.UnsupportedChange());
        };
    }
}
