// SPDX-License-Identifier: Apache-2.0
/** The translator as an actor: one for all kinds of keys. */
@NullMarked
package org.hcaactors.actors.key;

import org.jspecify.annotations.NullMarked;
