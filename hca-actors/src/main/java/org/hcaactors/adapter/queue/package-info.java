// SPDX-License-Identifier: Apache-2.0
/** Queue pairs: the RC machines, the actor around them, the handle with its doorbell rings. */
@NullMarked
package org.hcaactors.adapter.queue;

import org.jspecify.annotations.NullMarked;
