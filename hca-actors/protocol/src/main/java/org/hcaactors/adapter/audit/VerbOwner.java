// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/** An object that verbs are called on. */
public interface VerbOwner {
    /** The path of its actor: {@code /system/hca-network/a/qp-17}. */
    String path();

    /** True if no verb can be called on it any more. */
    boolean isClosed();
}
