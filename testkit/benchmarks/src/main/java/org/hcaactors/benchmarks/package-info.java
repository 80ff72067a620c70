// SPDX-License-Identifier: Apache-2.0
/** Benchmarks, each with its baseline. */
@NullMarked
package org.hcaactors.benchmarks;

import org.jspecify.annotations.NullMarked;
