// SPDX-License-Identifier: Apache-2.0
/** XRC domains, as processes share them. */
@NullMarked
package org.hcaactors.actors.xrc;

import org.jspecify.annotations.NullMarked;
