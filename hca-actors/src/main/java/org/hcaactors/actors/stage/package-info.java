// SPDX-License-Identifier: Apache-2.0
/** Command senders, and supervision of actors that survive a crash. */
@NullMarked
package org.hcaactors.actors.stage;

import org.jspecify.annotations.NullMarked;
