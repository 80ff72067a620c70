// SPDX-License-Identifier: Apache-2.0
/** What happened, as events with causes; the one source of every view. */
@NullMarked
package org.hcaactors.fabric.flow;

import org.jspecify.annotations.NullMarked;
