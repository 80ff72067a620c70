// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

/** A message whose sender waits for a reply; the reply must be given even if handling the message throws. */
public interface ExpectsReply {
    Reply<?> reply();

    /** The message as a program that waits for its reply reads it. */
    default String words() {
        return getClass().getSimpleName();
    }
}
