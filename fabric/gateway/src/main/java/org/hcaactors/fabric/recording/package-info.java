// SPDX-License-Identifier: Apache-2.0
/** Captures of a peer's packets, as a recorded cable plays them. */
@NullMarked
package org.hcaactors.fabric.recording;

import org.jspecify.annotations.NullMarked;
