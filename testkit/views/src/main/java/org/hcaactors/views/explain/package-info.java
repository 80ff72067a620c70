// SPDX-License-Identifier: Apache-2.0
/** Explanations: sentences that follow the trace from an effect back to its causes. */
@NullMarked
package org.hcaactors.views.explain;

import org.jspecify.annotations.NullMarked;
