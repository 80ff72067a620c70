// SPDX-License-Identifier: Apache-2.0
/** Verbs that ask an actor, and actors that outlive a crash. */
@NullMarked
package org.hcaactors.actors.stage;

import org.jspecify.annotations.NullMarked;
