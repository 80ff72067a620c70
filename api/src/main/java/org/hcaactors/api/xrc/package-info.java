// SPDX-License-Identifier: Apache-2.0
/** Extended reliable connected: what processes of a node share. */
@NullMarked
package org.hcaactors.api.xrc;

import org.jspecify.annotations.NullMarked;
