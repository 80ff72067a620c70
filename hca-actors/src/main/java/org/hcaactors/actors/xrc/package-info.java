// SPDX-License-Identifier: Apache-2.0
/** XRC domains, shared between processes. */
@NullMarked
package org.hcaactors.actors.xrc;

import org.jspecify.annotations.NullMarked;
