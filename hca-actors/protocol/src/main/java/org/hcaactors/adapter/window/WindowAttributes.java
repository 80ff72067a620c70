// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.TranslatedKey.ChangeResult;
import org.hcaactors.api.memory.WindowType;

/**
 * Constant attributes of a window, and the checks that depend on them alone (IBA 10.6.7.2, table 78).
 *
 * @param domain number of its protection domain
 * @param zeroBased its addresses may count from its first byte
 * @param atomics it permits a peer's atomics, if it is bound with that right
 */
public record WindowAttributes(WindowType type, int domain, boolean zeroBased, boolean atomics) {
    // rules window-bind, window-zero-based, window-unbind
    /** Returns the result of binding a window that may be bound now. */
    ChangeResult bind(int key, KeyChange.Bind requested) {
        Optional<Denial> reason = refusal(key, requested);
        if (reason.isPresent()) {
            return new ChangeResult.Refused(reason.get());
        }
        return new ChangeResult.Becomes(
                requested.lengthBytes() == 0
                        ? new UnboundWindow(requested.newKey(), this)
                        : new BoundWindow(this, requested));
    }

    private Optional<Denial> refusal(int key, KeyChange.Bind requested) {
        if (requested.key() != key) {
            return Optional.of(new Denial.Unregistered());
        }
        if (requested.by().domain() != domain) {
            return Optional.of(new Denial.ForeignDomain(domain, requested.by().domain()));
        }
        if (requested.zeroBased() && (type == WindowType.TYPE_1 || !zeroBased)) {
            return Optional.of(new Denial.NotZeroBased());
        }
        boolean unbinds = requested.lengthBytes() == 0;
        return unbinds && type == WindowType.TYPE_2 ? Optional.of(new Denial.EmptyWindow()) : Optional.empty();
    }

    // rule window-invalidate
    /** Returns why the window can't be invalidated, whatever it is bound to. */
    Optional<Denial> refusal(int key, KeyChange.Invalidate requested) {
        if (requested.key() != key) {
            return Optional.of(new Denial.Unregistered());
        }
        return type == WindowType.TYPE_1 ? Optional.of(new Denial.UnsupportedChange()) : Optional.empty();
    }
}
