// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import org.hcaactors.adapter.work.PsnWindow;

/** Reasons why packets that could be passed to the machines are not compared: limits of the comparison. */
enum NotCompared {
    EFFORT("behind what comparing one capture may take"),
    MEMORY("answers where requests reach over more than " + (Host.MAX_BYTES >> 20) + " MiB of a responder's memory"),
    LONG("READs of more than " + (Host.MAX_BYTES >> 20) + " MiB"),
    WINDOW("requests of which ours would not send one before it hears answers that the capture lacks: more than "
            + PsnWindow.MAX_PACKETS + " packets would be on their way"),
    PARTNER("answers to more queue pairs than are compared to find the requester"),
    FAR("requests behind the first " + RequesterTrial.MAX_REQUESTS + " numbers of their queue pair");

    final String what;

    NotCompared(String what) {
        this.what = what;
    }
}
