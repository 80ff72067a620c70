// SPDX-License-Identifier: Apache-2.0
/** How logging starts. */
@NullMarked
package org.hcaactors.actors.log;

import org.jspecify.annotations.NullMarked;
