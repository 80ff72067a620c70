// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import org.hcaactors.adapter.key.ChangeListener;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.LeaseRequest;

/** Finds the translator of a key. Called from any thread; it only tells the adapter's actor. */
public interface KeyDirectory {
    /** The holder is granted a lease, or refused. */
    void ask(LeaseRequest<LeaseHolder> leaseRequest);

    /** Of a key with the same index: whether the variant is right, its translator decides. */
    void change(int key, KeyChange change, ChangeListener listener);
}
