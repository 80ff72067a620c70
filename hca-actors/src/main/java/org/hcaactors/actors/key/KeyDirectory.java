// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import org.hcaactors.adapter.key.ChangeListener;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.LeaseRequest;

/** Finds the translator of a key. Any thread; calls only send a message to the adapter's actor. */
public interface KeyDirectory {
    /** Requests a lease; the holder is granted or refused. */
    void requestLease(LeaseRequest<LeaseHolder> leaseRequest);

    /** Changes the key with the same index; its translator checks the variant (low 8 bits). */
    void change(int key, KeyChange change, ChangeListener listener);
}
