// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/** Of something that holds what must come back, or owes what must be done. */
@FunctionalInterface
public interface Audited {
    /** As it stands now. To be asked only while no actor runs: it looks into one. */
    ResourceSnapshot snapshot();
}
