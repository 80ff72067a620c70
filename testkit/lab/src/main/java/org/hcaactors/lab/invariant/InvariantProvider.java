// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.ServiceLoader;

/**
 * More invariants for every world in which the adapter's protocol is checked. Providers on the class path are found by {@link ServiceLoader}: this
 * project's own, which judges adapters, stands in its module {@code testkit/judge}.
 */
public interface InvariantProvider {
    /**
     * New ones for one world, which look at its events.
     *
     * @param ledger of the world's network
     * @param guards of the world
     */
    List<Invariant> inTheTrace(ResourceLedger ledger, ShadowMemory guards);

    /**
     * New ones for one world, which look at rest and at the end alone: a world that nobody watches has them, too.
     *
     * @param ledger of the world's network
     */
    List<Invariant> atRest(ResourceLedger ledger);
}
