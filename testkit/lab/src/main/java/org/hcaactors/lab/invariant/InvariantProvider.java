// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Provider of invariants for every world in which the adapter's protocol is checked, found by {@link ServiceLoader} on the
 * class path. This project's own provider, which checks adapters, is in the module {@code testkit/judge}.
 */
public interface InvariantProvider {
    /**
     * Returns new invariants for one world that receive its events.
     *
     * @param ledger the resource audit of the world's network
     * @param guards the guarded memory of the world
     */
    List<Invariant> inTheTrace(ResourceLedger ledger, ShadowMemory guards);

    /**
     * Returns new invariants for one world that are checked only when it is idle and at the end. A world that is not observed
     * has them, too.
     *
     * @param ledger the resource audit of the world's network
     */
    List<Invariant> atRest(ResourceLedger ledger);
}
