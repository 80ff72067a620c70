// SPDX-License-Identifier: Apache-2.0
/** Random numbers, all derived from a seed and a purpose. */
@NullMarked
package org.hcaactors.lab.chance;

import org.jspecify.annotations.NullMarked;
