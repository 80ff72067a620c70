// SPDX-License-Identifier: Apache-2.0
/** Subscriptions as actors, and who serves them. */
@NullMarked
package org.hcaactors.actors.stream;

import org.jspecify.annotations.NullMarked;
