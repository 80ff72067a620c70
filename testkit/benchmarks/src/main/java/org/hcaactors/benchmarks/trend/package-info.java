// SPDX-License-Identifier: Apache-2.0
/** Detects whether benchmark results have changed since an earlier run, beyond noise. */
@NullMarked
package org.hcaactors.benchmarks.trend;

import org.jspecify.annotations.NullMarked;
