// SPDX-License-Identifier: Apache-2.0
/** Bounded collections of the newest entries. */
@NullMarked
package org.hcaactors.lab.recent;

import org.jspecify.annotations.NullMarked;
