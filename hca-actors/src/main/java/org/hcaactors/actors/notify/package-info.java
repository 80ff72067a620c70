// SPDX-License-Identifier: Apache-2.0
/** Threads of host processes: actors, handles and blueprints. */
@NullMarked
package org.hcaactors.actors.notify;

import org.jspecify.annotations.NullMarked;
