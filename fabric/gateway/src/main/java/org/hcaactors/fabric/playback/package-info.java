// SPDX-License-Identifier: Apache-2.0
/** The machine of a recorded cable: when which packet of the peer enters the fabric, and with which numbers. */
@NullMarked
package org.hcaactors.fabric.playback;

import org.jspecify.annotations.NullMarked;
