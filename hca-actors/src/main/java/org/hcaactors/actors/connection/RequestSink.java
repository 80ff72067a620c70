// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import org.hcaactors.adapter.cm.CmEffect;

/** Listener, as communication management sees it. Called on the adapter's thread. */
interface RequestSink {
    /** Service ID at which it listens. */
    long service();

    /** Maximum number of undecided requests. */
    int backlog();

    /** A peer asks for a connection; returns the program's side of it. */
    ConnectionUser requested(CmEffect.Requested request);

    /** No more requests arrive, since the adapter failed. */
    void failed();
}
