// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/** An object that holds resources to be returned, or owes work to be done. */
@FunctionalInterface
public interface Audited {
    /** Returns the present state. Call it only while no actor runs, since it reads an actor's state. */
    ResourceSnapshot snapshot();
}
