// SPDX-License-Identifier: Apache-2.0
/** DC targets: the actor, its handle, and the actors of its responders. */
@NullMarked
package org.hcaactors.actors.dctarget;

import org.jspecify.annotations.NullMarked;
