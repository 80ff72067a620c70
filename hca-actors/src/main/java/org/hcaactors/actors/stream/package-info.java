// SPDX-License-Identifier: Apache-2.0
/** Subscriptions as actors, and the polling side of streams. */
@NullMarked
package org.hcaactors.actors.stream;

import org.jspecify.annotations.NullMarked;
