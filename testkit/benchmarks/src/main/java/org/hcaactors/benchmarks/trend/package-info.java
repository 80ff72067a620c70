// SPDX-License-Identifier: Apache-2.0
/** Whether what the benchmarks show has moved since an earlier run, beyond noise. */
@NullMarked
package org.hcaactors.benchmarks.trend;

import org.jspecify.annotations.NullMarked;
