// SPDX-License-Identifier: Apache-2.0
/** Benchmarks, each beside its floor. */
@NullMarked
package org.hcaactors.benchmarks;

import org.jspecify.annotations.NullMarked;
