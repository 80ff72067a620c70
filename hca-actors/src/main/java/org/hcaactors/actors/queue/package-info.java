// SPDX-License-Identifier: Apache-2.0
/** Queue pairs: the actor, its handles, and the rings that callers and actor share. */
@NullMarked
package org.hcaactors.actors.queue;

import org.jspecify.annotations.NullMarked;
