// SPDX-License-Identifier: Apache-2.0
/** Extended reliable connected transport (XRC): processes of a node share the connections of their peers' nodes. */
@NullMarked
package org.hcaactors.adapter.xrc;

import org.jspecify.annotations.NullMarked;
