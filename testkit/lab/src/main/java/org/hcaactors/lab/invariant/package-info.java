// SPDX-License-Identifier: Apache-2.0
/** Invariants: named rules that must hold in every run, checked against the trace as it grows. */
@NullMarked
package org.hcaactors.lab.invariant;

import org.jspecify.annotations.NullMarked;
