// SPDX-License-Identifier: Apache-2.0
/** Timers for actors. */
@NullMarked
package org.hcaactors.fabric.time;

import org.jspecify.annotations.NullMarked;
