// SPDX-License-Identifier: Apache-2.0
/** Shared receive queues: actors, handles and blueprints. */
@NullMarked
package org.hcaactors.actors.srq;

import org.jspecify.annotations.NullMarked;
