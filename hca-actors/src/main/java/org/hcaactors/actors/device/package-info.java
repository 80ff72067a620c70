// SPDX-License-Identifier: Apache-2.0
/** The adapter actor and the handles that callers hold. */
@NullMarked
package org.hcaactors.actors.device;

import org.jspecify.annotations.NullMarked;
