// SPDX-License-Identifier: Apache-2.0
/** Everything created, used and closed, over and over, on real threads: what must not grow. */
@NullMarked
package org.hcaactors.judge.soak;

import org.jspecify.annotations.NullMarked;
