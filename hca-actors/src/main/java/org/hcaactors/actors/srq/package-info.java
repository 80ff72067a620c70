// SPDX-License-Identifier: Apache-2.0
/** Shared receive queues as actors, their handles, and how they are made. */
@NullMarked
package org.hcaactors.actors.srq;

import org.jspecify.annotations.NullMarked;
