// SPDX-License-Identifier: Apache-2.0
/** Pools of DC initiators: a few initiators serve many targets. */
@NullMarked
package org.hcaactors.client.pool;

import org.jspecify.annotations.NullMarked;
