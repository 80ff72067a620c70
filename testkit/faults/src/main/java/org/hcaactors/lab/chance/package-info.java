// SPDX-License-Identifier: Apache-2.0
/** Chance as an input: every lot comes from a seed and a purpose. */
@NullMarked
package org.hcaactors.lab.chance;

import org.jspecify.annotations.NullMarked;
