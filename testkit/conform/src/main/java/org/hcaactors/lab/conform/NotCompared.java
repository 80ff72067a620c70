// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import org.hcaactors.adapter.work.PsnWindow;

/** Reasons why packets that could be passed to the machines are not compared: limits of the comparison. */
enum NotCompared {
    EFFORT("packets after the effort limit of one comparison"),
    MEMORY("answers of responders whose requests span more than " + (Host.MAX_BYTES >> 20) + " MiB of memory"),
    LONG("READs of more than " + (Host.MAX_BYTES >> 20) + " MiB"),
    WINDOW("requests that the model could not send, because the capture lacks the answers to more than "
            + PsnWindow.MAX_PACKETS + " packets before them"),
    PARTNER("answers whose requester has too many candidate queue pairs"),
    FAR("requests beyond the first " + RequesterTrial.MAX_REQUESTS + " of their queue pair");

    final String what;

    NotCompared(String what) {
        this.what = what;
    }
}
