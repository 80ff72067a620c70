// SPDX-License-Identifier: Apache-2.0
/** Hardware counters, by their mlx5 names. */
@NullMarked
package org.hcaactors.adapter.counter;

import org.jspecify.annotations.NullMarked;
