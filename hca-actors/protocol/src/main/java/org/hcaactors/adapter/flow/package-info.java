// SPDX-License-Identifier: Apache-2.0
/** Events inside an adapter, and their reasons, for the trace. */
@NullMarked
package org.hcaactors.adapter.flow;

import org.jspecify.annotations.NullMarked;
