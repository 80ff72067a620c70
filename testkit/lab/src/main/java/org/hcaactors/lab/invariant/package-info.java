// SPDX-License-Identifier: Apache-2.0
/** What must hold in every run, as checkers by name that read the trace while it grows. */
@NullMarked
package org.hcaactors.lab.invariant;

import org.jspecify.annotations.NullMarked;
