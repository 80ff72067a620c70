// SPDX-License-Identifier: Apache-2.0
/** The queue pair as an object: its actor, its handles, the rings that posters and actor share. */
@NullMarked
package org.hcaactors.actors.queue;

import org.jspecify.annotations.NullMarked;
