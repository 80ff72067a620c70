// SPDX-License-Identifier: Apache-2.0
/** Shrinking: from a failing run to the smallest one that fails the same way. */
@NullMarked
package org.hcaactors.lab.shrink;

import org.jspecify.annotations.NullMarked;
