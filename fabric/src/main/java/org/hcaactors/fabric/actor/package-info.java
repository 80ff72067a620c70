// SPDX-License-Identifier: Apache-2.0
/** The fabric as an actor, around the machine of ports, links and routing. */
@NullMarked
package org.hcaactors.fabric.actor;

import org.jspecify.annotations.NullMarked;
