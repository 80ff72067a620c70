// SPDX-License-Identifier: Apache-2.0
/** How indirect keys are made, and their handles. */
@NullMarked
package org.hcaactors.actors.indirect;

import org.jspecify.annotations.NullMarked;
