// SPDX-License-Identifier: Apache-2.0
/** The adapter's actor and the handles of its objects. */
@NullMarked
package org.hcaactors.actors.device;

import org.jspecify.annotations.NullMarked;
