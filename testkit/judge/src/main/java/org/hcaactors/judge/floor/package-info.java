// SPDX-License-Identifier: Apache-2.0
/** Speed of plain actors: the baseline for benchmark figures. */
@NullMarked
package org.hcaactors.judge.floor;

import org.jspecify.annotations.NullMarked;
