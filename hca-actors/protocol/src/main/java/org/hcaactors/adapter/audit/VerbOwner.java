// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/** Whose verbs are called. */
public interface VerbOwner {
    /** The path of its actor: {@code /system/hca-network/a/qp-17}. */
    String path();

    /** Nobody can call its verbs any more. */
    boolean isClosed();
}
