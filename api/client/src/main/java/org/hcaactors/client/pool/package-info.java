// SPDX-License-Identifier: Apache-2.0
/** Pools of dynamically connected initiators: which of a few asks which of many targets. */
@NullMarked
package org.hcaactors.client.pool;

import org.jspecify.annotations.NullMarked;
