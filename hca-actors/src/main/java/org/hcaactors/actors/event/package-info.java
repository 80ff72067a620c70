// SPDX-License-Identifier: Apache-2.0
/** Event queues as actors, and completion channels. */
@NullMarked
package org.hcaactors.actors.event;

import org.jspecify.annotations.NullMarked;
