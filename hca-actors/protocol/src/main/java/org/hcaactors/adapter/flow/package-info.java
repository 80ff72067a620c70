// SPDX-License-Identifier: Apache-2.0
/** What happens inside an adapter, as events of the trace. */
@NullMarked
package org.hcaactors.adapter.flow;

import org.jspecify.annotations.NullMarked;
