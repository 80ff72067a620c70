// SPDX-License-Identifier: Apache-2.0
/** Waiters as actors, their handles, and how they are made. */
@NullMarked
package org.hcaactors.actors.notify;

import org.jspecify.annotations.NullMarked;
