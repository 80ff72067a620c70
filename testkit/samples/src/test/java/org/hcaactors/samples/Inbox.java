// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

/** A program that answers every message; its peer sends the next message after the answer. */
interface Inbox {
    void open();

    int seen();
}
