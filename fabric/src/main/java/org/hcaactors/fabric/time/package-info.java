// SPDX-License-Identifier: Apache-2.0
/** Timers of actors. */
@NullMarked
package org.hcaactors.fabric.time;

import org.jspecify.annotations.NullMarked;
