// SPDX-License-Identifier: Apache-2.0
/** Bounded memory of what came last. */
@NullMarked
package org.hcaactors.lab.recent;

import org.jspecify.annotations.NullMarked;
