// SPDX-License-Identifier: Apache-2.0
/** Extended reliable connected transport: domains and shared receive queues that processes of a node share. */
@NullMarked
package org.hcaactors.api.xrc;

import org.jspecify.annotations.NullMarked;
