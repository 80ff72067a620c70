// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

/** A message whose sender waits for a reply, which must come even where handling it throws. */
public interface ExpectsReply {
    Reply<?> reply();
}
