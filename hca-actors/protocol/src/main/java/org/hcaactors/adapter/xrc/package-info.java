// SPDX-License-Identifier: Apache-2.0
/** Extended reliable connected: processes of a node share what their peers' nodes connect to. */
@NullMarked
package org.hcaactors.adapter.xrc;

import org.jspecify.annotations.NullMarked;
