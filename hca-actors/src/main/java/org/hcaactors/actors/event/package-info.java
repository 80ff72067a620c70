// SPDX-License-Identifier: Apache-2.0
/** Event queues as actors, and the channels that they serve. */
@NullMarked
package org.hcaactors.actors.event;

import org.jspecify.annotations.NullMarked;
