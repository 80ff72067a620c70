// SPDX-License-Identifier: Apache-2.0
/** Why something happened, in sentences: from an effect back along the causes in the trace. */
@NullMarked
package org.hcaactors.views.explain;

import org.jspecify.annotations.NullMarked;
