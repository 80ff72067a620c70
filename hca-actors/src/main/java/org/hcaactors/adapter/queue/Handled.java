// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

/** What became of a packet that came in. */
enum Handled {
    DONE,
    /** Nothing has changed; to be handled again when a lease or a receive is there. */
    AWAITING
}
